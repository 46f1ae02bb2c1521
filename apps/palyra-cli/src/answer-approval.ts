import type { PalyraClient } from '@palyra/client';
import { systemClock } from '@palyra/kernel';
import {
  type AnswerApprovalResponse,
  ApprovalGrantSchema,
  ApprovalRecordSchema,
  RunStatus,
} from '@palyra/protocol';
import { canConverse } from './ask.ts';
import { type Invocation, argument, wantsJson } from './command.ts';
import { daemonOf } from './daemon.ts';
import type { Exit } from './exit-codes.ts';
import { grantWishOf } from './grant-wish.ts';
import { onInterrupt } from './interrupts.ts';
import { ownKeys, readKey } from './key.ts';
import { type ShownApproval, answerTo, knownApproval, shownApproval } from './one-approval.ts';
import { peopleOf } from './people.ts';
import { isPending, printApproval, wantsPasskey } from './render/approvals.ts';
import { printGrant } from './render/grants.ts';
import { approvalStatusWord, inline } from './render/words.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { wireJson } from './wire-json.ts';

/** A yes to the very call that was read here, and on a terminal seen by the person. */
export async function approveCall(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const wish = grantWishOf(invocation, systemClock().now());
  const client = daemonOf(invocation.shell);
  const shown = await readApproval(client, argument(invocation, 0));
  if (!(await isMeant(invocation, client, shown))) {
    terminal.note('nothing was answered; it goes on waiting');
    return 'ok';
  }
  const answered = await client.approvals.answerApproval({
    ...answerTo(shown, 'granted', invocation.text.get('reason')),
    ...wish,
  });
  return await showAnswered(invocation, client, answered);
}

/** A no harms nobody, so it is not asked twice. */
export async function denyCall(invocation: Invocation): Promise<Exit> {
  const reason = invocation.text.get('reason') ?? '';
  if (reason.trim() === '') {
    throw new UsageError('a no needs a reason', 'say it in `--reason "…"`: the model is told');
  }
  const client = daemonOf(invocation.shell);
  const shown = await readApproval(client, argument(invocation, 0));
  const answered = await client.approvals.answerApproval(answerTo(shown, 'denied', reason));
  return await showAnswered(invocation, client, answered);
}

export async function readApproval(
  client: PalyraClient,
  approvalId: string,
): Promise<ShownApproval> {
  return shownApproval(await client.approvals.getApproval({ approvalId }));
}

/** Contract: whoever gives `--yes`, or has no terminal, means it. */
async function isMeant(
  invocation: Invocation,
  client: PalyraClient,
  shown: ShownApproval,
): Promise<boolean> {
  const { terminal, gateway } = invocation.shell;
  const isAsked = canConverse(invocation) && !invocation.flags.has('yes');
  // What is over needs no yes, nor does what a passkey confirms: the gateway says what to do.
  if (!isAsked || !isPending(shown.approval) || wantsPasskey(shown.approval)) return true;
  const people = await peopleOf(invocation, client);
  printApproval(terminal, shown, { people, gateway, now: systemClock().now() });
  terminal.note('\ny: yes, as the command says; any other key: leave it');
  const leaving = new AbortController();
  using _leave = onInterrupt(() => leaving.abort());
  return (await readKey(ownKeys(), leaving.signal)) === 'y';
}

/** Where the gateway could not take up a run that it had cut off, it says so in its log, and a person here. */
async function tellInterrupted(
  terminal: Terminal,
  client: PalyraClient,
  runId: string,
): Promise<void> {
  // Who may answer need not be somebody who may see the run; the answer counts all the same.
  const told = await client.runs.getRun({ runId }).catch(() => undefined);
  if (told?.run?.status !== RunStatus.INTERRUPTED) return;
  // Whether, and by whom, it can be taken up is not known here.
  terminal.note(`its run is still interrupted; see \`palyra runs show ${inline(runId)}\``);
}

async function showAnswered(
  invocation: Invocation,
  client: PalyraClient,
  { approval, grant }: AnswerApprovalResponse,
): Promise<Exit> {
  const { terminal } = invocation.shell;
  const record = knownApproval(approval);
  if (wantsJson(invocation)) {
    terminal.json('approval', {
      approval: wireJson(ApprovalRecordSchema, record),
      grant: grant === undefined ? null : wireJson(ApprovalGrantSchema, grant),
    });
    return 'ok';
  }
  const word = isPending(record)
    ? 'waits for more people; your yes counts'
    : `is ${approvalStatusWord(record.status)}`;
  terminal.print(`${inline(record.approvalId)} ${word}`);
  if (!isPending(record)) await tellInterrupted(terminal, client, record.proposal?.runId ?? '');
  if (grant === undefined) return 'ok';
  terminal.print('');
  printGrant(terminal, grant, {
    people: await peopleOf(invocation, client),
    now: systemClock().now(),
    approvals: [record],
  });
  return 'ok';
}
