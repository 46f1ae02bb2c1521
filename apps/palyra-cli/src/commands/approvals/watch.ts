import { PalyraError } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalRecordSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { onInterrupt } from '../../interrupts.ts';
import { knownApproval } from '../../one-approval.ts';
import { approvalLine } from '../../render/approvals.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const leaving = new AbortController();
  const { signal } = leaving;
  using _leave = onInterrupt(() => leaving.abort());
  try {
    for await (const { approval } of client.approvals.watchApprovals({}, { signal })) {
      show(invocation, knownApproval(approval));
    }
  } catch (reason) {
    // Watching has no other end than Ctrl-C, so that is a good one.
    if (!signal.aborted || PalyraError.from(reason).code !== 'CANCELLED') throw reason;
  }
  return 'ok';
}

function show(invocation: Invocation, approval: ApprovalRecord): void {
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) {
    terminal.json('approval', { approval: wireJson(ApprovalRecordSchema, approval) });
  } else {
    terminal.print(approvalLine(terminal, approval));
  }
}
