import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type Log, PalyraError, redact } from '@palyra/kernel';
import type { Ending, SandboxRequest, Tier } from '../model.ts';
import { bwrapFileNow, readFacts } from '../proof/fingerprint.ts';
import { type TellStep, type VerdictDesk, createVerdictDesk } from '../proof/verdict-desk.ts';
import type { Maker, Unmade } from '../proof/maker.ts';
import { prove } from '../proof/prove.ts';
import { type Verdict, insistOnProof } from '../proof/verdict.ts';
import { refused } from '../refused.ts';
import type { WayOutPort } from '../way-out.ts';
import { hasStrongerStep } from '../ladder.ts';
import { type Cage, makerOf, openTierB, openTierC } from './cages.ts';
import type { Opening } from './messages.ts';
import type {
  ExpectedRequest,
  Explanation,
  RunWatch,
  SandboxLoad,
  Sandboxes,
} from './sandboxes.ts';
import { type Seat, takeSeat } from './seat.ts';

export interface LocalOptions {
  readonly opening: Opening;
  readonly wayOut: WayOutPort;
  readonly clock: Clock;
  readonly log: Log;
  /** Called before anything is started, more than once perhaps. */
  readonly beforeStart: () => Promise<void>;
}

/**
 * Sandboxes that this process makes itself, which should be one for this alone. Contract: throws when
 * it finds no place to work in.
 */
export function openSandboxes(options: LocalOptions): Sandboxes {
  return new LocalSandboxes(options);
}

const PASSABLE = 0o711;
const MAX_TOLD = 10;

class LocalSandboxes implements Sandboxes {
  readonly #options: LocalOptions;
  readonly #seat: Seat;
  readonly #desk: VerdictDesk;
  readonly #stop = new AbortController();
  readonly #cages = new Map<Tier, Promise<Cage>>();
  readonly #opened: Cage[] = [];
  #busy = 0;

  constructor(options: LocalOptions) {
    const { opening, clock, log } = options;
    this.#options = options;
    this.#seat = takeSeat(opening.folder);
    const { kept } = this.#seat;
    if (kept.length > 0) {
      log.warn('what somebody wrote to a name while it was masked is kept', {
        count: kept.length,
        files: kept.slice(0, MAX_TOLD),
      });
    }
    const folder = join(this.#seat.folder, 'proof');
    mkdirSync(folder, { mode: PASSABLE });
    this.#desk = createVerdictDesk({
      folder: join(opening.folder, 'verdicts'),
      machine: async () =>
        await readFacts({ version: opening.version, makers: await this.#makers(), folder }),
      bwrapFile: bwrapFileNow,
      prove: async (machine, onStep) => {
        const makers = await this.#makers();
        const { signal } = this.#stop;
        return await prove({ makers, folder, machine, clock, signal, onStep });
      },
      onUnkept: (reason) =>
        log.warn('what was proven could not be kept', { error: redact(PalyraError.from(reason)) }),
    });
  }

  async run(request: SandboxRequest, watch: RunWatch): Promise<Ending> {
    const started = performance.now();
    this.#busy += 1;
    try {
      return await (await this.#proven(request.tier)).run(request, watch);
    } catch (reason) {
      this.#report(reason);
      return refused(reason, request, { executor: 'none', weaknesses: [], started });
    } finally {
      this.#busy -= 1;
    }
  }

  expect(request: ExpectedRequest): void {
    if (this.#stop.signal.aborted) return;
    // Who then comes is told why, if it is still so.
    void this.#warm(request).catch(() => {});
  }

  async explain(request: SandboxRequest): Promise<Explanation> {
    return await (await this.#proven(request.tier)).explain(request);
  }

  async prove(onStep?: TellStep): Promise<Verdict> {
    await this.#climb();
    return await this.#desk.prove(onStep);
  }

  /**
   * Somebody may have installed what a stronger step needs since this process began, and asks for a proof
   * to see it used. Not while commands run: they are in what would be taken away.
   */
  async #climb(): Promise<void> {
    const cage = await this.#cages.get('C')?.catch(() => undefined);
    if (cage === undefined || this.#busy > 0 || !hasStrongerStep(cage.step)) return;
    this.#cages.delete('C');
    this.#opened.splice(this.#opened.indexOf(cage), 1);
    await cage[Symbol.asyncDispose]();
  }

  async verdict(): Promise<Verdict> {
    return await this.#desk.verdict();
  }

  async load(): Promise<SandboxLoad> {
    const warm = this.#opened.reduce((sum, cage) => sum + cage.readyMade(), 0);
    return { warm, busy: this.#busy, waiting: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const cage of this.#cages.values()) {
      const opened = await cage.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    }
    this.#seat[Symbol.dispose]();
  }

  async #warm(request: ExpectedRequest): Promise<void> {
    await (await this.#proven(request.tier)).warm(request);
  }

  /** What has no name is told nobody but the operator. */
  #report(reason: unknown): void {
    const error = PalyraError.from(reason);
    if (error.code !== 'UNEXPECTED') return;
    this.#options.log.error('a sandbox failed', { error: redact(error) });
  }

  /** INVARIANT: nothing runs in a sandbox that was not seen to hold on this machine. */
  async #proven(tier: Tier): Promise<Cage> {
    const cage = await this.#cage(tier);
    insistOnProof(await this.verdict(), cage.step);
    return cage;
  }

  /** Made when it is first asked for. One that could not be made is tried again: it may be mended meanwhile. */
  async #cage(tier: Tier): Promise<Cage> {
    const making = this.#cages.get(tier) ?? this.#open(tier);
    this.#cages.set(tier, making);
    try {
      return await making;
    } catch (reason) {
      this.#cages.delete(tier);
      throw reason;
    }
  }

  async #open(tier: Tier): Promise<Cage> {
    const { opening, wayOut, beforeStart } = this.#options;
    const options = { folder: this.#seat.folder, opening, wayOut, beforeStart };
    const cage = tier === 'B' ? await openTierB(options) : await openTierC(options);
    this.#opened.push(cage);
    return cage;
  }

  async #makers(): Promise<readonly (Maker | Unmade)[]> {
    const makers: (Maker | Unmade)[] = [];
    for (const tier of ['C', 'B'] as const) {
      makers.push(await this.#cage(tier).then(makerOf, (reason: unknown) => unmade(tier, reason)));
    }
    return makers;
  }
}

function unmade(tier: Tier, reason: unknown): Unmade {
  const refusal = PalyraError.from(reason).message.slice(0, 500);
  return { step: tier === 'C' ? 'bubblewrap' : 'process', executor: 'none', refusal };
}
