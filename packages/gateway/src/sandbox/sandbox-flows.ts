import { create } from '@bufbuild/protobuf';
import { type Clock, type Log, PalyraError, redact } from '@palyra/kernel';
import {
  type ProveSandboxResponse,
  ProveSandboxResponseSchema,
  type Sandbox,
  type SandboxStep,
} from '@palyra/protocol';
import type { Actor } from '../identity/caller.ts';
import type { JournalPort } from '../journal-port.ts';
import type { SandboxDesk } from './ports.ts';
import { provenEntry, untriedEntry } from './proof-entries.ts';
import { SharedLook } from './shared-look.ts';

/** A proof while it is under way, for everybody who waits for it. */
interface Proof {
  readonly steps: SandboxStep[];
  readonly end: Promise<Sandbox>;
  /** Resolves with the next step, and is another promise then. */
  next: PromiseWithResolvers<void>;
}

export interface SandboxFlowParts {
  readonly clock: Clock;
  /** Told of every proof that somebody asked for. */
  readonly journal: Pick<JournalPort, 'append'>;
  readonly log: Log;
}

/** The sandboxes as people see and try them. */
export class SandboxFlows {
  readonly #desk: SandboxDesk;
  readonly #look: SharedLook;
  readonly #journal: SandboxFlowParts['journal'];
  readonly #log: Log;
  #proof: Proof | undefined;

  constructor(desk: SandboxDesk, { clock, journal, log }: SandboxFlowParts) {
    this.#desk = desk;
    this.#look = new SharedLook(desk, clock);
    this.#journal = journal;
    this.#log = log;
  }

  async show(): Promise<Sandbox> {
    return await this.#desk.show();
  }

  /** As they are, and again whenever that has changed. Contract: as of `SharedLook`. */
  watch(signal: AbortSignal): AsyncGenerator<Sandbox> {
    return this.#look.watch(signal);
  }

  /**
   * Contract: one proof for however many ask at once; it goes on when they go. The last message, and no
   * other, has the sandbox.
   */
  async *prove({ actor }: Actor, signal: AbortSignal): AsyncGenerator<ProveSandboxResponse> {
    const proof = (this.#proof ??= this.#begin(actor));
    const gone = aborted(signal);
    let told = 0;
    let sandbox: Sandbox | undefined;
    while (sandbox === undefined) {
      for (; told < proof.steps.length; told += 1) {
        const step = proof.steps[told];
        if (step !== undefined) yield create(ProveSandboxResponseSchema, { step });
      }
      const more = proof.next.promise.then(() => undefined);
      sandbox = await Promise.race([more, proof.end, gone]);
    }
    yield create(ProveSandboxResponseSchema, { sandbox });
  }

  #begin(actor: string): Proof {
    this.#log.info('the sandboxes are tried anew', { actor });
    const proof: Proof = {
      steps: [],
      next: Promise.withResolvers(),
      end: this.#tryAll(actor, (step) => {
        proof.steps.push(step);
        const { resolve } = proof.next;
        proof.next = Promise.withResolvers();
        resolve();
      }).finally(() => {
        this.#proof = undefined;
      }),
    };
    proof.end.catch((reason: unknown) =>
      this.#log.warn('the sandboxes could not be tried', {
        error: redact(PalyraError.from(reason)),
      }),
    );
    return proof;
  }

  /** Contract: what came of it is in the journal before anybody is told. */
  async #tryAll(actor: string, onStep: (step: SandboxStep) => void): Promise<Sandbox> {
    const sandbox = await this.#desk.prove(onStep).catch(async (reason: unknown) => {
      await this.#journal.append([untriedEntry(actor, PalyraError.from(reason))]);
      throw reason;
    });
    await this.#journal.append([provenEntry(actor, sandbox)]);
    return sandbox;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  const leave = () => gone.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  return gone.promise;
}
