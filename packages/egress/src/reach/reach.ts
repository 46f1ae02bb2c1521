import type { Socket } from 'node:net';
import { rangeOf } from '../address.ts';
import { hostText, readHost } from '../canonical-host.ts';
import { type HostRules, parseHostRule } from '../host-rule.ts';
import { reachTls } from '../interception/reach-tls.ts';
import { reasonOf } from '../proxy/connection.ts';
import { Passage } from '../proxy/passage.ts';
import { type ServeOptions, startRunning } from '../proxy/start-running.ts';
import type { MayConnect } from '../may-connect.ts';
import type { OnRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';

/** One connection that the gateway itself makes for a call which was allowed to name this host. */
export interface ReachOrder {
  /** Names the call in its record. */
  readonly id: string;
  /** As it stands before a port: an IPv6 address is bracketed. */
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** `GET /v1/users`, for the record. */
  readonly request: string;
  /** Addresses that are not public and may be dialled all the same; entries of anything else count for nothing. */
  readonly listed: HostRules;
  readonly mayConnect: MayConnect;
  /** Called once, when the connection has ended or was refused. Contract: does not throw. */
  readonly onRecord: OnRecord;
}

export type ReachOutcome =
  | ({ readonly kind: 'reached' } & Reached)
  | { readonly kind: 'refused'; readonly reason: Refusal };

export interface Reached {
  /** Over TLS that was verified, or in the clear, as the order has it. */
  readonly stream: Socket;
  /** Ends it and has it on record. Contract: may be called twice; the first reason counts. */
  end(reason?: Refusal): void;
}

/**
 * The way out of a sandbox without the sandbox: the same decision, one lookup, every address checked,
 * a checked one dialled. Contract: never rejects; ends with the signal.
 */
export async function reach(
  order: ReachOrder,
  options: ServeOptions,
  signal: AbortSignal,
): Promise<ReachOutcome> {
  const running = startRunning({ ...order, rules: rulesOf(order) }, options);
  const passage = new Passage(running);
  passage.draft.door = 'fetch';
  passage.draft.request = order.request;
  const recording = new Recording(passage, order.onRecord);
  const leave = () => recording.end('left');
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    const stream = await connect(order, passage);
    recording.stream = stream;
    stream.setTimeout(running.sandbox.ceilings.idleMs, () => recording.end('idle'));
    stream.once('close', () => {
      signal.removeEventListener('abort', leave);
      recording.end();
    });
    return { kind: 'reached', stream, end: (reason) => recording.end(reason) };
  } catch (error) {
    const reason = reasonOf(error, running);
    signal.removeEventListener('abort', leave);
    recording.end(reason);
    return { kind: 'refused', reason };
  }
}

async function connect({ host, port, scheme }: ReachOrder, passage: Passage): Promise<Socket> {
  const allowed = passage.authorise(host, port);
  const addresses = await passage.resolve(allowed);
  return scheme === 'https'
    ? await reachTls({ allowed, addresses }, passage)
    : await passage.dial(addresses, allowed.port);
}

/**
 * The call was allowed to reach this host and nobody else. An address that is not public has to be
 * listed by whoever runs the gateway: that a call names one does not suffice.
 */
function rulesOf({ host, port, listed }: ReachOrder): HostRules {
  const addresses = listed.filter((rule) => rule.host.kind === 'address');
  const read = readHost(host);
  const isOpen = read !== undefined && (read.kind === 'name' || rangeOf(read.address) === 'public');
  return isOpen ? [parseHostRule(`${hostText(read)}:${port}`), ...addresses] : addresses;
}

/** The one record of a connection, made when the first of those who may end it does. */
class Recording {
  stream: Socket | undefined;
  readonly #passage: Passage;
  readonly #onRecord: OnRecord;
  #isMade = false;

  constructor(passage: Passage, onRecord: OnRecord) {
    this.#passage = passage;
    this.#onRecord = onRecord;
  }

  end(reason?: Refusal): void {
    if (this.#isMade) return;
    this.#isMade = true;
    const { draft } = this.#passage;
    if (reason !== undefined) draft.end(reason);
    draft.bytesUp = this.stream?.bytesWritten ?? 0;
    draft.bytesDown = this.stream?.bytesRead ?? 0;
    this.#passage.close();
    this.#onRecord(draft.close());
  }
}
