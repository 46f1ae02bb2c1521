import { systemClock } from '@palyra/kernel';
import { ApprovalRecordSchema, OfferedShapeSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { shownApproval } from '../../one-approval.ts';
import { peopleOf } from '../../people.ts';
import { printApproval } from '../../render/approvals.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal, gateway } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const approvalId = argument(invocation, 0);
  const shown = shownApproval(await client.approvals.getApproval({ approvalId }));
  if (wantsJson(invocation)) {
    terminal.json('approval', {
      approval: wireJson(ApprovalRecordSchema, shown.approval),
      offers: shown.offers.map((offer) => wireJson(OfferedShapeSchema, offer)),
    });
    return 'ok';
  }
  const people = await peopleOf(invocation, client);
  printApproval(terminal, shown, { people, gateway, now: systemClock().now() });
  return 'ok';
}
