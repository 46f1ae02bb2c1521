import { systemClock } from '@palyra/kernel';
import { type Run, type RunEvent, RunEventSchema, RunSchema, RunStatus } from '@palyra/protocol';
import type { PalyraClient } from '@palyra/client';
import { readApproval } from './answer-approval.ts';
import { ApprovalAttendance } from './approval-attendance.ts';
import { ask, canConverse } from './ask.ts';
import { type Invocation, wantsJson } from './command.ts';
import { daemonOf } from './daemon.ts';
import { everySecond } from './every-second.ts';
import { EXITS, type Exit } from './exit-codes.ts';
import { onInterrupt } from './interrupts.ts';
import { ownKeys } from './key.ts';
import { LostRun, asLostRun } from './lost-run.ts';
import { spentJson } from './one-run.ts';
import { peopleOf } from './people.ts';
import { printEnding } from './render/ending.ts';
import type { RunOutcome } from './render/run-outcome.ts';
import { RunStory } from './render/run-story.ts';
import { type Command, type Watched, watchRun } from './run-watch.ts';
import { wireJson } from './wire-json.ts';

/** Opens or resumes a run and stays with it: shows what happens, and lets Ctrl-C cancel it. */
export async function steerRun(invocation: Invocation, opening: Command): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const { runId, outcome } = await watchAttended(invocation, client, opening);
  const exit = exitOfRun(outcome);
  if (runId === undefined) return exit;
  const run = await runAsItIs(client, { runId, outcome });
  if (wantsJson(invocation)) {
    const { refused, lastEntryId } = outcome;
    const known = run === undefined ? null : wireJson(RunSchema, run);
    const spent = spentJson(outcome.spent);
    terminal.json('run', { run: known, refused, lastEntryId, spent, exit: EXITS[exit].code });
  } else {
    printEnding(terminal, { runId, sessionId: run?.sessionId ?? '', outcome });
    if (exit === 'interrupted') terminal.note('the gateway stops; first start it again: palyra up');
  }
  return exit;
}

/** A gateway that stops may be gone before it is asked; how a run ended is known without it. */
async function runAsItIs(
  client: PalyraClient,
  { runId, outcome }: { readonly runId: string; readonly outcome: RunOutcome },
): Promise<Run | undefined> {
  try {
    return (await client.runs.getRun({ runId })).run;
  } catch (reason) {
    const why = asLostRun(reason, runId);
    if (why instanceof LostRun && ENDED.has(outcome.status)) return undefined;
    throw why;
  }
}

const ENDED: ReadonlySet<RunStatus> = new Set([
  RunStatus.COMPLETED,
  RunStatus.CANCELLED,
  RunStatus.FAILED,
]);

async function watchAttended(
  invocation: Invocation,
  client: PalyraClient,
  opening: Command,
): Promise<Watched> {
  const { terminal } = invocation.shell;
  const story = new RunStory(terminal);
  const attendance = attendanceOf(invocation, client);
  const show = wantsJson(invocation)
    ? (event: RunEvent) => terminal.json('event', { event: wireJson(RunEventSchema, event) })
    : (event: RunEvent) => story.tell(event);
  try {
    return await watchRun({
      opening,
      open: (commands, signal) => client.runs.runStream(commands, { signal }),
      show: (event) => {
        show(event);
        attendance.hear(event);
      },
      note: (text) => terminal.note(text),
      interrupts: onInterrupt,
      leave: () => process.exit(EXITS.cancelled.code),
    });
  } finally {
    await attendance.end();
    story.close();
  }
}

/** Asks whoever sits at this terminal; where nobody does, tells how to answer. */
export function attendanceOf(invocation: Invocation, client: PalyraClient): ApprovalAttendance {
  const { terminal, gateway } = invocation.shell;
  const why = 'why not? the model is told; Enter for no reason: ';
  return new ApprovalAttendance({
    terminal,
    read: (approvalId) => readApproval(client, approvalId),
    answer: (given) => client.approvals.answerApproval(given),
    view: async () => ({
      gateway,
      people: await peopleOf(invocation, client),
      now: systemClock().now(),
    }),
    person: canConverse(invocation)
      ? { keys: ownKeys(), askWhy: (signal) => ask(why, signal), everySecond }
      : undefined,
  });
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
    case RunStatus.QUEUED:
    case RunStatus.UNSPECIFIED:
      return 'failure';
  }
  // A status of a newer daemon: not known to be good.
  return 'failure';
}
