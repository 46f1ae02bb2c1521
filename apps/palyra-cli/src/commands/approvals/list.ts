import { systemClock } from '@palyra/kernel';
import { ApprovalRecordSchema, ApprovalStatus } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printApprovals } from '../../render/approvals.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const all = invocation.flags.has('all');
  const { approvals } = await daemonOf(invocation.shell).approvals.listApprovals({
    status: all ? ApprovalStatus.UNSPECIFIED : ApprovalStatus.PENDING,
    limit: count(invocation, 'limit'),
  });
  if (wantsJson(invocation)) {
    const told = approvals.map((one) => wireJson(ApprovalRecordSchema, one));
    terminal.json('approvals', { approvals: told });
  } else if (approvals.length === 0) {
    terminal.print(all ? 'nobody was asked yet' : 'nothing waits for an answer');
  } else {
    printApprovals(terminal, approvals, systemClock().now());
  }
  return 'ok';
}
