import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Allowed, decide } from '../decide.ts';
import type { Incremental } from '../reading/incremental.ts';
import { readFrom } from '../reading/incremental.ts';
import { RecordDraft } from '../record.ts';
import { Refused, type Refusal } from '../refusal.ts';
import { resolve } from '../resolve.ts';
import type { Running } from './sandbox-egress.ts';

/** Addresses of one host that are tried, one after the other. */
const MAX_TRIES = 4;

/** One connection out of a sandbox, from its first byte to its record. */
export class Passage {
  readonly running: Running;
  readonly draft: RecordDraft;
  readonly #ended = new AbortController();
  readonly #failed = Promise.withResolvers<never>();

  constructor(running: Running) {
    this.running = running;
    this.draft = new RecordDraft(running.sandbox.id, running.clock);
    // Nobody may be waiting for it when it happens.
    this.#failed.promise.catch(() => {});
  }

  /** Rejects as soon as the passage has to end whatever else goes on. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  fail(reason: Refusal): void {
    this.#failed.reject(new Refused(reason));
  }

  /** Ends with the passage; what it says goes unheard, since its close is what counts. */
  own<Stream extends Duplex>(stream: Stream): Stream {
    stream.on('error', () => {});
    if (this.#ended.signal.aborted) stream.destroy();
    this.#ended.signal.addEventListener('abort', () => stream.destroy(), { once: true });
    return stream;
  }

  close(): void {
    this.#ended.abort();
  }

  watchIdle(stream: Socket): void {
    stream.setTimeout(this.running.sandbox.ceilings.idleMs, () => this.fail('idle'));
  }

  /** Reads the start of something, within the deadline for starts. */
  async read<Value>(stream: Duplex, reader: Incremental<Value>, ifEnded: Refusal): Promise<Value> {
    const deadlineMs = this.running.sandbox.ceilings.helloMs;
    return readFrom(stream, reader, { deadlineMs, ifLate: 'too-slow', ifEnded });
  }

  /** Contract: throws Refused for whom the rules do not allow. */
  authorise(host: string, port: number): Allowed {
    this.draft.asked(host, port);
    const decision = decide(host, port, this.running.sandbox.rules);
    if (decision.kind === 'refused') throw new Refused(decision.reason);
    this.draft.allow(decision.rules[0].text);
    return decision;
  }

  /** Contract: throws Refused unless every address of the host may be dialled, and the rules agree. */
  async resolve({ host, port }: Allowed): Promise<readonly string[]> {
    const { sandbox, lookup } = this.running;
    const resolution = await this.#within('host-unresolved', () =>
      resolve(host, port, { rules: sandbox.rules, lookup }),
    );
    if (resolution.kind === 'refused') throw new Refused(resolution.reason);
    const [first, ...others] = resolution.addresses;
    const addresses = [first, ...others.slice(0, MAX_TRIES - 1)] as const;
    const to = { host: host.kind === 'name' ? host.name : host.address, port, addresses };
    const isAllowed = await this.#within('rules-refuse', () => sandbox.mayConnect(to));
    if (!isAllowed) throw new Refused('rules-refuse');
    return addresses;
  }

  /** Contract: the addresses are those that `resolve` gave; throws Refused when none answers. */
  async dial(addresses: readonly string[], port: number): Promise<Socket> {
    return this.#within('upstream-unreachable', async (signal) => {
      for (const address of addresses) {
        this.draft.address = address;
        const socket = await this.running.dial({ address, port }, signal).catch(() => undefined);
        if (socket !== undefined) return this.own(socket);
        signal.throwIfAborted();
      }
      throw new Refused('upstream-unreachable');
    });
  }

  countUp(bytes: number): void {
    this.draft.bytesUp += bytes;
    this.running.meter.bytesUp += bytes;
    if (this.running.meter.bytesUp > this.running.sandbox.ceilings.bytesUp) throw tooMany();
  }

  countDown(bytes: number): void {
    this.draft.bytesDown += bytes;
    this.running.meter.bytesDown += bytes;
    if (this.running.meter.bytesDown > this.running.sandbox.ceilings.bytesDown) throw tooMany();
  }

  async #within<Value>(
    reason: Refusal,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const given = new AbortController();
    const late = Promise.withResolvers<never>();
    const giveUp = (why: Refusal) => {
      given.abort();
      late.reject(new Refused(why));
    };
    const leave = () => giveUp('left');
    const timer = setTimeout(() => giveUp(reason), this.running.sandbox.ceilings.dialMs);
    this.#ended.signal.addEventListener('abort', leave, { once: true });
    if (this.#ended.signal.aborted) leave();
    try {
      return await Promise.race([work(given.signal), late.promise]);
    } finally {
      clearTimeout(timer);
      this.#ended.signal.removeEventListener('abort', leave);
    }
  }
}

function tooMany(): Refused {
  return new Refused('too-many-bytes');
}
