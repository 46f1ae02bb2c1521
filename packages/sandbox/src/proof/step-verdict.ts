import type { Ending } from '../model.ts';
import type { Maker, Unmade } from './maker.ts';
import type { Tried } from './try-inside.ts';
import type { StepVerdict } from './verdict.ts';

const MAX_TEXT = 500;
const MAX_WEAKNESSES = 32;

/** Contract: proven only when something was tried, and all of it held. */
export function stepVerdict({ step, executor }: Maker, tried: readonly Tried[]): StepVerdict {
  const findings = tried.flatMap((one) => one.findings);
  const weaknesses = new Set(tried.flatMap(({ ending }) => ending.posture.weaknesses));
  return {
    step,
    executor,
    isProven: findings.length > 0 && findings.every(({ holds }) => holds),
    refusal: '',
    findings,
    weaknesses: [...weaknesses].slice(0, MAX_WEAKNESSES).map((text) => text.slice(0, MAX_TEXT)),
  };
}

/** Why the first sandbox was not even made; empty when it was. */
export function refusalOf({ kind, fault }: Ending): string {
  if (kind !== 'refused' || fault === undefined) return '';
  return fault.help === '' ? fault.reason : `${fault.reason}; ${fault.help}`;
}

export function refusedStep({ step, executor, refusal }: Unmade): StepVerdict {
  return {
    step,
    executor,
    isProven: false,
    refusal: refusal.slice(0, MAX_TEXT) || 'it cannot be made here',
    findings: [],
    weaknesses: [],
  };
}
