import { systemClock } from '@palyra/kernel';
import { ApprovalGrantSchema, ApprovalRecordSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { peopleOf } from '../../people.ts';
import { printGrant } from '../../render/grants.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const [{ grants, approvals }, people] = await Promise.all([
    client.approvals.listGrants({}),
    peopleOf(invocation, client),
  ]);
  if (wantsJson(invocation)) {
    terminal.json('grants', {
      grants: grants.map((one) => wireJson(ApprovalGrantSchema, one)),
      approvals: approvals.map((one) => wireJson(ApprovalRecordSchema, one)),
    });
    return 'ok';
  }
  const now = systemClock().now();
  if (grants.length === 0) terminal.print('no grant holds');
  for (const [place, grant] of grants.entries()) {
    if (place > 0) terminal.print('');
    printGrant(terminal, grant, { people, now, approvals });
  }
  return 'ok';
}
