import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PalyraClient } from '@palyra/client';
import {
  type RunCommandSchema,
  type RunEvent,
  RunEventSchema,
  RunSchema,
  RunStatus,
} from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import { CommandQueue } from './command-queue.ts';
import { daemonOf } from './daemon.ts';
import { EXITS, type Exit } from './exit-codes.ts';
import { onInterrupt } from './interrupts.ts';
import { printEnding } from './render/ending.ts';
import { type RunOutcome, RunStory, UNKNOWN_OUTCOME, observe } from './render/run-story.ts';
import { wireJson } from './wire-json.ts';

type Opening = MessageInitShape<typeof RunCommandSchema>;

/** Opens or resumes a run and stays with it: shows what happens, and lets Ctrl-C cancel it. */
export async function steerRun(invocation: Invocation, opening: Opening): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const story = new RunStory(terminal);
  const show = wantsJson(invocation)
    ? (event: RunEvent) => terminal.json('event', { event: wireJson(RunEventSchema, event) })
    : (event: RunEvent) => story.tell(event);

  const watched = await watch({ client, opening, show, invocation }).finally(() => story.close());

  const { runId, outcome } = watched;
  const exit = exitOfRun(outcome);
  if (runId === undefined) return exit;
  const { run } = await client.runs.getRun({ runId });
  if (wantsJson(invocation)) {
    const { refused, lastEntryId } = outcome;
    const known = run === undefined ? null : wireJson(RunSchema, run);
    terminal.json('run', { run: known, refused, lastEntryId, exit: EXITS[exit].code });
  } else {
    printEnding(terminal, { runId, sessionId: run?.sessionId ?? '', outcome });
  }
  return exit;
}

interface Watch {
  readonly client: PalyraClient;
  readonly opening: Opening;
  readonly show: (event: RunEvent) => void;
  readonly invocation: Invocation;
}

interface Watched {
  readonly runId: string | undefined;
  readonly outcome: RunOutcome;
}

async function watch({ client, opening, show, invocation }: Watch): Promise<Watched> {
  const { terminal } = invocation.shell;
  const commands = new CommandQueue(opening);
  const leaving = new AbortController();
  let runId: string | undefined;
  let outcome = UNKNOWN_OUTCOME;

  using cleanup = new DisposableStack();
  cleanup.use(
    onInterrupt((times) => {
      // A second Ctrl-C means now, whatever the daemon still has to say.
      if (times > 1) process.exit(EXITS.cancelled.code);
      terminal.note('\ncancelling the run; Ctrl-C again leaves at once');
      if (runId === undefined) leaving.abort();
      else commands.push({ command: { case: 'cancel', value: { runId } } });
    }),
  );
  try {
    for await (const event of client.runs.runStream(commands, { signal: leaving.signal })) {
      runId = event.runId;
      outcome = observe(outcome, event);
      show(event);
      if (event.event.case === 'runEnded') commands.close();
    }
  } finally {
    commands.close();
  }
  return { runId, outcome };
}

export function exitOfRun({ status, refused }: RunOutcome): Exit {
  switch (status) {
    case RunStatus.COMPLETED:
      return refused > 0 ? 'denied' : 'ok';
    case RunStatus.CANCELLED:
      return 'cancelled';
    case RunStatus.INTERRUPTED:
      return 'interrupted';
    case RunStatus.FAILED:
    case RunStatus.ACTIVE:
    case RunStatus.UNSPECIFIED:
      return 'failure';
  }
  // A status of a newer daemon: not known to be good.
  return 'failure';
}
