import { PalyraError, type RunId } from '@palyra/kernel';
import type {
  CancelRunRequest,
  ResumeRunRequest,
  RunCommand,
  RunEvent,
  StartRunRequest,
  WatchRunRequest,
} from '@palyra/protocol';

export interface OpenedRun {
  readonly runId: RunId;
  events(signal: AbortSignal): AsyncIterable<RunEvent>;
}

export interface RunDoors {
  start(request: StartRunRequest): Promise<OpenedRun>;
  watch(request: WatchRunRequest): OpenedRun;
  resume(request: ResumeRunRequest): Promise<OpenedRun>;
  cancel(request: CancelRunRequest): Promise<unknown>;
}

export interface Steering {
  readonly signal: AbortSignal;
  /** From here on the caller may be silent: the run has something to say. */
  readonly onFirst: () => void;
}

/** More commands than this on one stream are not steering. */
const MOST_COMMANDS = 16;

/**
 * The first command opens the run, later ones may cancel it; the stream ends when the run does.
 * A command that makes no sense ends the stream with its fault, never the run.
 */
export async function* steeredRun(
  doors: RunDoors,
  commands: AsyncIterable<RunCommand>,
  { signal, onFirst }: Steering,
): AsyncIterable<RunEvent> {
  const rest = commands[Symbol.asyncIterator]();
  const first = await rest.next();
  onFirst();
  if (first.done === true) throw new PalyraError('INVALID_INPUT', 'the stream has no command');
  const run = await open(doors, first.value);

  const misled = new AbortController();
  steer(doors, run.runId, rest).catch((reason: unknown) => misled.abort(reason));
  yield* run.events(AbortSignal.any([signal, misled.signal]));
  misled.signal.throwIfAborted();
}

async function open(doors: RunDoors, { command }: RunCommand): Promise<OpenedRun> {
  switch (command.case) {
    case 'start':
      return doors.start(command.value);
    case 'watch':
      return doors.watch(command.value);
    case 'resume':
      return doors.resume(command.value);
    case 'cancel':
    case undefined:
      throw new PalyraError('INVALID_INPUT', 'the first command must start, watch or resume a run');
  }
}

async function steer(
  doors: RunDoors,
  runId: RunId,
  commands: AsyncIterator<RunCommand>,
): Promise<void> {
  for (let count = 1; count < MOST_COMMANDS; count += 1) {
    const next = await commands.next();
    if (next.done === true) return;
    const { command } = next.value;
    if (command.case !== 'cancel') {
      throw new PalyraError('INVALID_INPUT', 'an open run can only be cancelled on its stream');
    }
    if (command.value.runId !== runId) {
      throw new PalyraError('INVALID_INPUT', '`cancel.run_id` is not the run of this stream');
    }
    await cancel(doors, command.value);
  }
  throw new PalyraError('OVERLOADED', `more than ${MOST_COMMANDS} commands on one stream`);
}

async function cancel(doors: RunDoors, request: CancelRunRequest): Promise<void> {
  try {
    await doors.cancel(request);
  } catch (reason) {
    // The run ended while the command was on its way; the stream is about to tell how.
    if (PalyraError.from(reason).code !== 'RUN_NOT_ACTIVE') throw reason;
  }
}
