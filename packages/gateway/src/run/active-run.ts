import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError } from '@palyra/kernel';
import { RunEndedSchema, RunInterruptedSchema, RunStatus } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import { detailOf } from '../tool-call/5-attestation.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import type { ToolCallContext } from '../tool-call/tool-call.ts';
import type { Recollection } from './conversation.ts';
import { runLoop } from './run-loop.ts';
import { ACTORS, type AskedRun, type RunIdentity, draftOf } from './run-note.ts';
import { RunStream } from './run-stream.ts';
import { Stop } from './stop.ts';

/** A run while this gateway drives it. */
export class ActiveRun {
  readonly run: AskedRun;
  readonly stream: RunStream;
  readonly #parts: GatewayParts;
  readonly #onEnd: () => void;
  readonly #abort = new AbortController();
  #done: Promise<void> = Promise.resolve();

  /** `onEnd` is called before watchers hear of the end, so that the session is free when they do. */
  constructor(run: AskedRun, parts: GatewayParts, onEnd: () => void) {
    this.run = run;
    this.#parts = parts;
    this.#onEnd = onEnd;
    this.stream = new RunStream(run.runId, parts.settings.watch_buffer);
  }

  /** Contract: settles when the run's end is on record, or cannot be recorded; never rejects. */
  get done(): Promise<void> {
    return this.#done;
  }

  drive(past: Recollection): void {
    this.#done = this.#drive(past);
  }

  cancel(by: string): void {
    this.#abort.abort(new Stop('cancelled', by));
  }

  interrupt(): void {
    this.#abort.abort(new Stop('interrupted', ACTORS.gateway));
  }

  async #drive(past: Recollection): Promise<void> {
    const context: ToolCallContext = { parts: this.#parts, run: this.run, stream: this.stream };
    const ending = await runLoop(context, past, this.#abort.signal).then(
      () => ended(this.run, RunStatus.COMPLETED),
      (reason: unknown) => this.#endingAfter(reason),
    );
    try {
      const entries = await record([ending], this.#parts.journal);
      this.#onEnd();
      publish(entries, this.stream);
      this.stream.end();
    } catch (reason) {
      // The journal is gone: the next start finds the run without an end and marks it interrupted.
      const fault = PalyraError.from(reason);
      this.#parts.log.error('run end not recorded', { runId: this.run.runId, code: fault.code });
      this.#onEnd();
      this.stream.end(fault);
    }
  }

  #endingAfter(reason: unknown): EntryDraft {
    const stop: unknown = this.#abort.signal.reason;
    if (stop instanceof Stop) {
      return stop.as === 'cancelled'
        ? ended(this.run, RunStatus.CANCELLED, { actor: stop.by })
        : interrupted(this.run, 'the daemon was stopped before the run ended');
    }
    const error = PalyraError.from(reason);
    const fields = { runId: this.run.runId, code: error.code, reason: error.message };
    this.#parts.log.error('run failed', fields);
    return ended(this.run, RunStatus.FAILED, { error });
  }
}

function ended(
  run: RunIdentity,
  status: RunStatus,
  { actor = ACTORS.gateway, error }: { actor?: string; error?: PalyraError } = {},
): EntryDraft {
  const message = create(RunEndedSchema, {
    status,
    ...(error === undefined ? {} : { error: detailOf(error) }),
  });
  return draftOf(run, { kind: 'run.ended', actor, message });
}

export function interrupted(run: RunIdentity, reason: string): EntryDraft {
  const message = create(RunInterruptedSchema, { reason });
  return draftOf(run, { kind: 'run.interrupted', actor: ACTORS.gateway, message });
}
