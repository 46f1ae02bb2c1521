import type { PalyraClient } from '@palyra/client';
import { systemClock } from '@palyra/kernel';
import { readApproval } from '../answer-approval.ts';
import type { Invocation } from '../command.ts';
import { peopleOf } from '../people.ts';
import { isPending, printApproval, printCall, waitingLine } from '../render/approvals.ts';
import { type ChatPage, chatPage } from './chat-page.ts';
import type { AskedQuestion } from './question.ts';

/** Columns that the mark before a question takes. */
const MARK_COLUMNS = 2;

/** Contract: `undefined` for a question that is over. */
export async function readQuestion(
  parts: ChatPage & { readonly invocation: Invocation },
  client: PalyraClient,
  approvalId: string,
): Promise<AskedQuestion | undefined> {
  const { invocation } = parts;
  const shown = await readApproval(client, approvalId);
  if (!isPending(shown.approval)) return undefined;
  const people = await peopleOf(invocation, client);
  const view = { gateway: invocation.shell.gateway, people, now: systemClock().now() };
  return {
    shown,
    page: chatPage(parts, MARK_COLUMNS, (terminal) => printCall(terminal, shown.approval, view)),
    details: chatPage(parts, MARK_COLUMNS, (terminal) => printApproval(terminal, shown, view)),
    elsewhere: waitingLine(shown, view),
  };
}
