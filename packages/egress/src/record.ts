import { type Clock, quote } from '@palyra/kernel';
import { hostText, readHost } from './canonical-host.ts';
import type { Refusal } from './refusal.ts';

/**
 * How the sandbox asked; `unknown` before it has said anything that is understood. `fetch` is the
 * gateway itself, on behalf of a call.
 */
export type Door = 'connect' | 'http' | 'socks5' | 'fetch' | 'unknown';

/**
 * What the journal keeps of one connection. Plain JSON; nothing of what was sent but the name of
 * the host and, where requests are read, method and path. Never a query, a header or a secret.
 */
export interface ConnectionRecord {
  readonly sandbox: string;
  readonly door: Door;
  /** In its one spelling; as it was written, in backticks, when it has none; empty before it was named. */
  readonly host: string;
  /** 0 before it was named. */
  readonly port: number;
  /** The one that was dialled; empty when none was. */
  readonly address: string;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly decision: 'allowed' | 'refused';
  /** Why it was refused, or ended before its time; empty for neither. */
  readonly reason: Refusal | '';
  /** The entry that allowed it; empty when none did. */
  readonly rule: string;
  /** `GET /v1/users`, where requests are read; empty elsewhere. */
  readonly request: string;
  /** Names of the secrets that were put in. */
  readonly secrets: readonly string[];
  readonly startedAt: string;
  readonly durationMs: number;
}

export type OnRecord = (record: ConnectionRecord) => void;

/** Endings of what was allowed and stays so. */
const MISHAPS: ReadonlySet<Refusal> = new Set([
  'host-unresolved',
  'upstream-unreachable',
  'upstream-untrusted',
  'upstream-malformed',
  'handshake-failed',
  'idle',
  'left',
  'too-many-bytes',
]);

/** A record while its connection lasts. */
export class RecordDraft {
  door: Door = 'unknown';
  host = '';
  port = 0;
  address = '';
  bytesUp = 0;
  bytesDown = 0;
  decision: 'allowed' | 'refused' = 'refused';
  reason: Refusal | '' = '';
  rule = '';
  request = '';
  secrets: readonly string[] = [];
  readonly #sandbox: string;
  readonly #clock: Clock;
  readonly #startedAt: Date;

  constructor(sandbox: string, clock: Clock) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** What was asked for, before anybody has looked at it. */
  asked(host: string, port: number): void {
    const read = readHost(host);
    this.host = read === undefined ? quote(host) : hostText(read);
    this.port = port;
  }

  allow(rule: string): void {
    this.rule = rule;
    this.decision = 'allowed';
  }

  /** Keeps the first reason: what follows from it says less. */
  end(reason: Refusal): void {
    if (this.reason !== '') return;
    this.reason = reason;
    if (!MISHAPS.has(reason)) this.decision = 'refused';
  }

  close(): ConnectionRecord {
    return {
      sandbox: this.#sandbox,
      door: this.door,
      host: this.host,
      port: this.port,
      address: this.address,
      bytesUp: this.bytesUp,
      bytesDown: this.bytesDown,
      decision: this.decision,
      reason: this.reason,
      rule: this.rule,
      request: this.request,
      secrets: this.secrets,
      startedAt: this.#startedAt.toISOString(),
      durationMs: Math.max(0, this.#clock.now().getTime() - this.#startedAt.getTime()),
    };
  }
}
