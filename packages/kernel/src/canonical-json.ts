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

/** Nothing to escape in it. */
const PLAIN_PATTERN = /^[ !#-[\]-~]*$/;

/** Beyond this the platform is faster than looking at each character. */
const MAX_LOOKED_AT = 100;

function writeString(value: string): string {
  if (value.length <= MAX_LOOKED_AT && PLAIN_PATTERN.test(value)) return `"${value}"`;
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
  if (!isPlainObject(value)) throw new TypeError('only plain objects have a place in json');
  let text = '{';
  for (const key of canonicalKeys(value)) {
    if (text.length > 1) text += ',';
    text += `${writeString(key)}:${write(value[key], depth + 1)}`;
  }
  return `${text}}`;
}

function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** In the order of UTF-16 code units, which the RFC asks for. Most objects come in it already. */
export function canonicalKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  for (let place = 1; place < keys.length; place += 1) {
    if ((keys[place - 1] ?? '') > (keys[place] ?? '')) return inOrder(keys);
  }
  return keys;
}

/** By insertion: for the few keys of an object that is faster than a sort, which calls back. */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > MAX_INSERTED) return keys.toSorted((a, b) => (a < b ? -1 : 1));
  for (let place = 1; place < keys.length; place += 1) {
    const key = keys[place] ?? '';
    let free = place;
    for (; free > 0 && (keys[free - 1] ?? '') > key; free -= 1) keys[free] = keys[free - 1] ?? '';
    keys[free] = key;
  }
  return keys;
}

const MAX_INSERTED = 24;
