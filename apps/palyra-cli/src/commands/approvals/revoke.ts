import { plural } from '@palyra/client';
import { ApprovalGrantSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { knownGrant } from '../../one-approval.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const grantId = argument(invocation, 0);
  const answer = await daemonOf(invocation.shell).approvals.revokeGrant({ grantId });
  const grant = knownGrant(answer.grant);
  if (wantsJson(invocation)) {
    terminal.json('grant', { grant: wireJson(ApprovalGrantSchema, grant) });
  } else {
    const left = plural(grant.usesLeft, 'call was', 'calls were');
    terminal.print(`${inline(grant.grantId)} is revoked; ${left} left of it`);
  }
  return 'ok';
}
