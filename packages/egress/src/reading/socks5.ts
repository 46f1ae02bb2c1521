import { readAddress } from '../address.ts';
import { type Incremental, MORE, type Progress, refuse } from './incremental.ts';

export const SOCKS_VERSION = 5;
const CONNECT = 1;
const NO_PROOF = 0;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/** RFC 1928: the answers that are given here. */
export const SOCKS_REPLY = { done: 0, notAllowed: 2, unreachable: 4, noSuchCommand: 7 } as const;
export const SOCKS_NO_PROOF = Buffer.from([SOCKS_VERSION, NO_PROOF]);

/** Contract: done with whether "no proof of who you are", the only way here, is offered. */
export class GreetingReader implements Incremental<boolean> {
  #bytes = Buffer.alloc(0);

  push(chunk: Buffer): Progress<boolean> {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const [version, count] = this.#bytes;
    if (version !== SOCKS_VERSION || count === 0) return refuse('protocol-unknown');
    if (count === undefined || this.#bytes.length < 2 + count) return MORE;
    const value = this.#bytes.subarray(2, 2 + count).includes(NO_PROOF);
    return { kind: 'done', value, rest: this.#bytes.subarray(2 + count) };
  }
}

export interface SocksRequest {
  readonly isConnect: boolean;
  /** As an authority has it: an IPv6 address is bracketed. */
  readonly host: string;
  readonly port: number;
}

export class RequestReader implements Incremental<SocksRequest> {
  #bytes = Buffer.alloc(0);

  push(chunk: Buffer): Progress<SocksRequest> {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const [version, command, reserved, kind, nameLength] = this.#bytes;
    if (version !== SOCKS_VERSION || (reserved ?? 0) !== 0) return refuse('head-malformed');
    if (kind === undefined || nameLength === undefined) return MORE;
    const start = kind === NAME ? 5 : 4;
    const length = lengthOf(kind, nameLength);
    if (length === undefined) return refuse('head-malformed');
    const end = start + length + 2;
    if (this.#bytes.length < end) return MORE;
    const host = hostOf(kind, this.#bytes.subarray(start, start + length));
    const port = this.#bytes.readUInt16BE(end - 2);
    if (host === undefined || port === 0) return refuse('head-malformed');
    const value = { isConnect: command === CONNECT, host, port };
    return { kind: 'done', value, rest: this.#bytes.subarray(end) };
  }
}

export function socksReply(code: number): Buffer {
  return Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0]);
}

function lengthOf(kind: number, nameLength: number): number | undefined {
  if (kind === NAME) return nameLength;
  if (kind === IPV4) return 4;
  return kind === IPV6 ? 16 : undefined;
}

function hostOf(kind: number, bytes: Buffer): string | undefined {
  if (kind === NAME) return bytes.toString('latin1');
  if (kind === IPV4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  const address = readAddress(groups.join(':'));
  // A mapped one stays as it was written, and is refused as a host like any other misspelling.
  return `[${address ?? groups.join(':')}]`;
}
