import type { Invocation } from '../../../command.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { COMPARING } from '../../../policy-candidate.ts';
import { showShadow } from '../../../shadow-report.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const report = await daemonOf(invocation.shell).policy.getShadowReport({}, COMPARING);
  return showShadow(invocation, report);
}
