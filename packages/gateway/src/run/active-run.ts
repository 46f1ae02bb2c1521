import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, loopShare } from '@palyra/kernel';
import {
  RunEndedSchema,
  RunInterruptedSchema,
  type RunSpending,
  RunStatus,
  StopReason,
} from '@palyra/protocol';
import { detailOf } from '../tool-call/5-attestation.ts';
import { record } from '../tool-call/6-journal.ts';
import { DayShare } from './budget/day-share.ts';
import { RunBudget } from './budget/run-budget.ts';
import { NOTHING_SPENT, type Spending, spendingOf } from './budget/spending.ts';
import type { JustBegun } from './context/remember.ts';
import { recollect } from './conversation.ts';
import { stopReasonOf } from './limit-reached.ts';
import type { RunContext, RunParts } from './run-context.ts';
import { runLoop } from './run-loop.ts';
import { ACTORS, type AskedRun, type RunIdentity, draftOf } from './run-note.ts';
import { RunStream } from './run-stream.ts';
import { Stop } from './stop.ts';

/**
 * Resolves when the beginning is on record, with it where it is all that there is of the run.
 * Contract: throws the signal's reason when that comes first.
 */
export type Beginning = (signal: AbortSignal) => Promise<JustBegun | undefined>;

/** A run while this gateway drives it, or will as soon as its turn has come. */
export class ActiveRun {
  readonly run: AskedRun;
  readonly stream: RunStream;
  readonly #parts: RunParts;
  readonly #onEnd: () => void;
  readonly #abort = new AbortController();
  readonly #day: DayShare;
  #budget: RunBudget;
  #done: Promise<void> = Promise.resolve();
  /** A session that went on goes on. */
  #isFollowUp = false;
  #stopsAtRest = false;

  /** `onEnd` is called before watchers hear of the end, so that the session is free when they do. */
  constructor(run: AskedRun, parts: RunParts, onEnd: () => void) {
    this.run = run;
    this.#parts = parts;
    this.#onEnd = onEnd;
    this.stream = new RunStream(run.runId, parts.settings.watch_buffer);
    this.#day = new DayShare(run, parts.budgets);
    this.#budget = this.#budgetAfter(NOTHING_SPENT);
  }

  /** For one that begins now: what its first turn needs is taken while that is recorded. */
  takeAhead(): void {
    this.#budget.takeAhead();
  }

  /** For one whose beginning could not be recorded. */
  async giveBack(): Promise<void> {
    await this.#budget.close();
  }

  /** Contract: settles when the run's end is on record, or cannot be recorded; never rejects. */
  get done(): Promise<void> {
    return this.#done;
  }

  drive(begin: Beginning): void {
    this.#done = this.#drive(begin);
  }

  cancel(by: string): void {
    this.#abort.abort(new Stop('cancelled', by));
  }

  interrupt(): void {
    this.#abort.abort(new Stop('interrupted', ACTORS.gateway));
  }

  /**
   * As soon as all that it does is to wait for people: the questions are kept, and nothing is under way
   * that could be cut.
   */
  interruptAtRest(): void {
    this.#stopsAtRest = true;
    this.#onRest();
  }

  #onRest(): void {
    if (!this.#stopsAtRest) return;
    // Whoever has just come to rest is to wait first; it may be over by then, too.
    queueMicrotask(() => {
      if (this.#budget.watch.isResting) this.interrupt();
    });
  }

  #budgetAfter(past: Spending): RunBudget {
    const { clock, settings } = this.#parts;
    return new RunBudget(this.#day, past, { clock, settings, onRest: () => this.#onRest() });
  }

  async #drive(begin: Beginning): Promise<void> {
    const ending = await this.#work(begin).then(
      (last) => [...last, this.#ended(RunStatus.COMPLETED, StopReason.DONE)],
      (reason: unknown) => [this.#endingAfter(reason)],
    );
    try {
      await this.#close(ending);
      this.#onEnd();
      this.stream.end();
      if (this.#isFollowUp) void this.#parts.pastRuns.readAhead(this.run.runId);
    } catch (reason) {
      // The journal is gone: the next start finds the run without an end and marks it interrupted.
      const fault = PalyraError.from(reason);
      this.#parts.log.error('run end not recorded', { runId: this.run.runId, code: fault.code });
      this.#onEnd();
      this.stream.end(fault);
    }
  }

  /** What the run came to is told to the day in the commit of its end. */
  async #close(ending: readonly EntryDraft[]): Promise<void> {
    const { promise: recorded, resolve } = Promise.withResolvers<void>();
    const settling = this.#budget.close(() => resolve(this.#recordEnd(ending)));
    await Promise.all([recorded, settling]);
  }

  /** A run whose last words cannot be written has failed: they are never taken for said. */
  async #recordEnd(ending: readonly EntryDraft[]): Promise<void> {
    const { journal } = this.#parts;
    try {
      await record(ending, journal);
    } catch (reason) {
      if (ending.length === 1) throw reason;
      await record([this.#endingAfter(reason)], journal);
    }
  }

  /** Gives what is to be recorded with the end. */
  async #work(begin: Beginning): Promise<readonly EntryDraft[]> {
    const { signal } = this.#abort;
    const known = await begin(signal);
    this.#isFollowUp = known?.session === 'older';
    await loopShare.turn();
    const past = await recollect(this.run, this.#parts, known);
    this.#budget = this.#budgetAfter(spendingOf(past.entries));
    const context: RunContext = {
      parts: this.#parts,
      run: this.run,
      stream: this.stream,
      budget: this.#budget,
      taint: new Set(past.taint),
    };
    return await runLoop(context, past, signal);
  }

  #endingAfter(reason: unknown): EntryDraft {
    const stop: unknown = this.#abort.signal.reason;
    if (stop instanceof Stop) {
      return stop.as === 'cancelled'
        ? this.#ended(RunStatus.CANCELLED, StopReason.CANCELLED, { actor: stop.by })
        : interrupted(this.run, {
            reason: 'the daemon was stopped before the run ended',
            spent: this.#budget.message,
          });
    }
    const error = PalyraError.from(reason);
    const fields = { runId: this.run.runId, code: error.code, reason: error.message };
    this.#parts.log.error('run failed', fields);
    return this.#ended(RunStatus.FAILED, stopReasonOf(error), { error });
  }

  #ended(
    status: RunStatus,
    stopReason: StopReason,
    told: Pick<Ending, 'actor' | 'error'> = {},
  ): EntryDraft {
    return ended(this.run, { status, stopReason, spent: this.#budget.message, ...told });
  }
}

interface Ending {
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  readonly spent: RunSpending;
  /** Absent: nobody in particular. */
  readonly actor?: string;
  readonly error?: PalyraError;
}

export function ended(
  run: RunIdentity,
  { actor = ACTORS.gateway, error, ...how }: Ending,
): EntryDraft {
  const message = create(RunEndedSchema, {
    ...how,
    ...(error === undefined ? {} : { error: detailOf(error) }),
  });
  return draftOf(run, { kind: 'run.ended', actor, message });
}

export function interrupted(
  run: RunIdentity,
  why: { readonly reason: string; readonly spent?: RunSpending },
): EntryDraft {
  const message = create(RunInterruptedSchema, why);
  return draftOf(run, { kind: 'run.interrupted', actor: ACTORS.gateway, message });
}
