import type { Shell } from '../command.ts';
import type { Finding } from '../doctor/check.ts';
import { examineGateway } from '../doctor/gateway.ts';
import { checkDaemon } from '../doctor/palyra.ts';
import type { StepOutcome } from './check.ts';

/** A command that did not run most often has no sandbox to run in: then that is what to say. */
export async function sandboxHelp(outcome: StepOutcome, shell: Shell): Promise<StepOutcome> {
  const isYourNo = outcome.calls.some(({ ending }) => ending === 'refused by you');
  if (outcome.isAsTold || isYourNo) return outcome;
  const findings = await examineGateway(shell, await checkDaemon(shell));
  const finding = findings.find(({ check, result }) => CAUSES.has(check) && result !== 'ok');
  return finding === undefined ? outcome : blame(outcome, finding);
}

/** Checks of the gateway's that tell why there is no sandbox. */
const CAUSES: ReadonlySet<string> = new Set(['bubblewrap', 'user namespaces']);

/** Contract: pure. */
export function blame(outcome: StepOutcome, { check, detail, fix }: Finding): StepOutcome {
  const because = `this step cannot run here, ${check}: ${detail}; ${outcome.because}`;
  return { ...outcome, because, help: fix ?? outcome.help };
}
