import type { Shell } from '../command.ts';
import type { Finding } from '../doctor/check.ts';
import { checkBubblewrap, checkUserNamespaces } from '../doctor/sandbox.ts';
import { homeOf } from '../home.ts';
import type { StepOutcome } from './check.ts';

/** A command that did not run most often has no sandbox to run in: then that is what to say. */
export async function sandboxHelp(outcome: StepOutcome, shell: Shell): Promise<StepOutcome> {
  const isYourNo = outcome.calls.some(({ ending }) => ending === 'refused by you');
  if (outcome.isAsTold || isYourNo) return outcome;
  const patient = { shell, places: homeOf(shell) };
  for (const check of [checkBubblewrap, checkUserNamespaces]) {
    const finding = await check(patient);
    if (finding.result !== 'ok') return blame(outcome, finding);
  }
  return outcome;
}

/** Contract: pure. */
export function blame(outcome: StepOutcome, { check, detail, fix }: Finding): StepOutcome {
  const because = `this step cannot run here, ${check}: ${detail}; ${outcome.because}`;
  return { ...outcome, because, help: fix ?? outcome.help };
}
