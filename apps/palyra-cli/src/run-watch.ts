import type { MessageInitShape } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import type { RunCommandSchema, RunEvent } from '@palyra/protocol';
import { CommandQueue } from './command-queue.ts';
import { asLostRun } from './lost-run.ts';
import { type RunOutcome, UNKNOWN_OUTCOME, observe } from './render/run-outcome.ts';

export type Command = MessageInitShape<typeof RunCommandSchema>;

export interface RunWatch {
  readonly opening: Command;
  readonly open: (commands: AsyncIterable<Command>, signal: AbortSignal) => AsyncIterable<RunEvent>;
  readonly show: (event: RunEvent) => void;
  readonly note: (text: string) => void;
  /** Calls back on each Ctrl-C with how many there were. */
  readonly interrupts: (listener: (times: number) => void) => Disposable;
  /** Ends the program whatever the daemon still has to say. */
  readonly leave: () => void;
}

export interface Watched {
  readonly runId: string | undefined;
  readonly outcome: RunOutcome;
}

/**
 * Stays with a run until it ends. A run goes on in the daemon when its watcher goes away, so Ctrl-C
 * has to say `cancel`, and the first event is what names the run: until it comes, the wish waits.
 */
export async function watchRun(parts: RunWatch): Promise<Watched> {
  const commands = new CommandQueue(parts.opening);
  const leaving = new AbortController();
  let runId: string | undefined;
  let isCancelWanted = false;
  let outcome = UNKNOWN_OUTCOME;

  using cleanup = new DisposableStack();
  cleanup.use(
    parts.interrupts((times) => {
      if (times > 1) return parts.leave();
      if (commands.withdraw()) return leaving.abort();
      parts.note('\ncancelling the run; Ctrl-C again leaves at once');
      isCancelWanted = true;
      if (runId !== undefined) commands.push(cancelOf(runId));
    }),
  );
  try {
    for await (const event of parts.open(commands, leaving.signal)) {
      if (runId === undefined && isCancelWanted) commands.push(cancelOf(event.runId));
      runId = event.runId;
      outcome = observe(outcome, event);
      parts.show(event);
      if (event.event.case === 'runEnded') commands.close();
    }
  } catch (reason) {
    throw leaving.signal.aborted ? nothingAsked(reason) : asLostRun(reason, runId);
  } finally {
    commands.close();
  }
  return { runId, outcome };
}

function cancelOf(runId: string): Command {
  return { command: { case: 'cancel', value: { runId } } };
}

function nothingAsked(cause: unknown): PalyraError {
  const help = 'nothing was started; give the same command again';
  return new PalyraError('CANCELLED', 'left before the daemon was asked', { cause, help });
}
