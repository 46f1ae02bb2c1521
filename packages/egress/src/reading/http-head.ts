import type { Refusal } from '../refusal.ts';
import { type Incremental, MORE, type Progress, refuse } from './incremental.ts';

export interface Field {
  /** Lower case. */
  readonly name: string;
  readonly value: string;
}

export interface Head {
  /** The three parts of the first line. */
  readonly start: readonly [string, string, string];
  readonly fields: readonly Field[];
}

export interface HeadLimits {
  readonly headBytes: number;
  readonly headerFields: number;
}

/** A sandbox sends requests, whoever it talks to sends answers. */
export type HeadOf = 'request' | 'answer';

const MALFORMED = {
  request: 'head-malformed',
  answer: 'upstream-malformed',
} as const satisfies Record<HeadOf, Refusal>;
const TOO_LONG = {
  request: 'head-too-long',
  answer: 'upstream-malformed',
} as const satisfies Record<HeadOf, Refusal>;

const END = Buffer.from('\r\n\r\n');

/** Reads the head of a request or of an answer, strictly: CRLF, no folding, no odd spaces. */
export class HeadReader implements Incremental<Head> {
  readonly #limits: HeadLimits;
  readonly #of: HeadOf;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  /** The last bytes so far: the end of a head may come in pieces. */
  #tail = Buffer.alloc(0);

  constructor(limits: HeadLimits, of: HeadOf) {
    this.#limits = limits;
    this.#of = of;
  }

  push(chunk: Buffer): Progress<Head> {
    const window = Buffer.concat([this.#tail, chunk]);
    const found = window.indexOf(END);
    const before = this.#bytes - this.#tail.length;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const length = found === -1 ? this.#bytes : before + found + END.length;
    if (length > this.#limits.headBytes) return refuse(TOO_LONG[this.#of]);
    this.#tail = Buffer.from(window.subarray(-(END.length - 1)));
    if (found === -1) return MORE;
    const all = Buffer.concat(this.#chunks);
    const text = all.toString('latin1', 0, length - END.length);
    const value = parseHead(text, this.#of, this.#limits.headerFields);
    if (value === undefined) return refuse(MALFORMED[this.#of]);
    return { kind: 'done', value, rest: all.subarray(length) };
  }
}

/** Contract: `undefined` for anything that two readers could understand in two ways. */
export function parseHead(text: string, of: HeadOf, maxFields: number): Head | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  if (lines.length > maxFields || text.replaceAll('\r\n', '').match(CONTROL) !== null)
    return undefined;
  const start = (of === 'request' ? REQUEST_LINE : STATUS_LINE).exec(first);
  const fields = lines.map(parseField);
  if (start === null || !fields.every((field) => field !== undefined)) return undefined;
  // Python opens its tunnels like this; of a request that is read the older version means too much.
  if (of === 'request' && start[3] === 'HTTP/1.0' && start[1] !== 'CONNECT') return undefined;
  return { start: [start[1] ?? '', start[2] ?? '', start[3] ?? ''], fields };
}

export function valuesOf({ fields }: Pick<Head, 'fields'>, name: string): readonly string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}

export function headBytes(start: string, fields: readonly Field[]): Buffer {
  const lines = fields.map(({ name, value }) => `${name}: ${value}\r\n`);
  return Buffer.from(`${start}\r\n${lines.join('')}\r\n`, 'latin1');
}

/** What speaks of one connection, and is not for the next. */
export function withoutHopByHop(fields: readonly Field[]): readonly Field[] {
  const names = fields
    .filter(({ name }) => name === 'connection' || name === 'proxy-connection')
    .flatMap(({ value }) => value.split(','))
    .map((name) => name.trim().toLowerCase());
  const named = new Set(names);
  return fields.filter(({ name }) => !HOP_BY_HOP.has(name) && (!named.has(name) || KEPT.has(name)));
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** A sender who calls these its connection's own would have us cut the message elsewhere. */
const KEPT: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;
const REQUEST_LINE = /^([A-Z][A-Z-]{0,31}) ([\x21-\x7e]+) (HTTP\/1\.[01])$/;
const STATUS_LINE = /^(HTTP\/1\.[01]) ([1-5]\d\d)(?: ([^\r\n]*))?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function parseField(line: string): Field | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!TOKEN.test(name)) return undefined;
  return { name: name.toLowerCase(), value: withoutSpacesAround(line.slice(colon + 1)) };
}

/** By hand: a pattern that does this takes time by the square of the spaces in the middle. */
function withoutSpacesAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t';
}
