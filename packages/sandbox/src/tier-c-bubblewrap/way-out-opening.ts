import type { ChildProcess } from 'node:child_process';
import { type Bytes, PalyraError } from '@palyra/kernel';
import type { EgressRequest } from '../model.ts';
import type { WayOut, WayOutPort } from '../way-out.ts';
import { STARTER } from './launcher.ts';
import { needsWayOut } from './plan.ts';
import { MAX_START_MS } from './waiting.ts';

/** The way out of one sandbox while that is made. Contract: what nobody took is closed when disposed of. */
export class WayOutOpening implements AsyncDisposable {
  readonly #port: WayOutPort | undefined;
  readonly #order: { readonly id: string; readonly egress: EgressRequest };
  readonly #abort = new AbortController();
  #opening: Promise<WayOut> | undefined;

  constructor(
    port: WayOutPort | undefined,
    order: { readonly id: string; readonly egress: EgressRequest },
  ) {
    this.#port = port;
    this.#order = order;
  }

  /** Contract: only for a plan that has one. */
  listener(channel: number): Bytes {
    if (this.#port === undefined) {
      throw new PalyraError('SANDBOX_EGRESS_DENIED', 'no host can be reached from this sandbox');
    }
    return this.#port.listener({ channel, becomes: STARTER });
  }

  open(child: ChildProcess): void {
    const { id, egress } = this.#order;
    if (this.#port === undefined || egress.mode !== 'strict' || !needsWayOut({ egress })) return;
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(MAX_START_MS)]);
    this.#opening = this.#port.open(child, { id, egress, signal });
    // It is told to whoever takes it.
    this.#opening.catch(() => {});
  }

  /** Contract: `undefined` where none is needed; rejects when it could not be opened. */
  async take(): Promise<WayOut | undefined> {
    const wayOut = await this.#opening;
    this.#opening = undefined;
    return wayOut;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Most sandboxes have none, and to make the reason of an abort takes a while.
    if (this.#opening === undefined) return;
    this.#abort.abort();
    const opened = await this.#opening.catch(() => undefined);
    await opened?.close();
  }
}
