import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** Anything that JSON can say. */
export type Json = JsonValue;
export type { JsonObject };

/** So many arrays and objects may stand in one another: a hostile nesting must not exhaust the stack. */
export const MAX_JSON_DEPTH = 200;

/**
 * The one spelling of a JSON value, after RFC 8785: equal values give equal text.
 * Contract: throws a TypeError for what JSON cannot say exactly (not a finite number, half a
 * surrogate pair, undefined, a bigint, anything but a plain object), so that two readers can never see two values.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

const encoder = new TextEncoder();

export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(write(value, 0));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no place in json`);
  if (depth >= MAX_JSON_DEPTH) throw new TypeError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
}

function writeString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('text holds half a surrogate pair');
  return JSON.stringify(value);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('a number is not finite');
  return JSON.stringify(value);
}

function writeArray(values: readonly unknown[], depth: number): string {
  let text = '[';
  for (let place = 0; place < values.length; place += 1) {
    if (place > 0) text += ',';
    text += write(values[place], depth + 1);
  }
  return `${text}]`;
}

function writeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('only plain objects have a place in json');
  }
  // The default order compares UTF-16 code units, which is what the RFC asks for.
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  let text = '{';
  for (const [key, field] of fields) {
    if (text.length > 1) text += ',';
    text += `${writeString(key)}:${write(field, depth + 1)}`;
  }
  return `${text}}`;
}
