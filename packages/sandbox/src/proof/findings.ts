import type { Ending } from '../model.ts';
import type { CallProbe } from './probes-calls.ts';
import type { Probe } from './probe.ts';
import type { Site } from './site.ts';
import type { ProbeFinding } from './verdict.ts';

const MAX_OBSERVED = 400;

/** Contract: what was not answered does not hold. */
export function findingOf(
  { id, says, expected, holds, tell, outside }: Probe,
  answer: string | undefined,
  { site, ending }: { readonly site: Site; readonly ending: Ending },
): ProbeFinding {
  const wrong = outside?.(site) ?? '';
  const seen = answer === undefined ? notTried(ending) : (tell?.(answer) ?? answer);
  const observed = wrong === '' ? seen : `${seen}; outside: ${wrong}`;
  return {
    id,
    says,
    expected,
    observed: observed.slice(0, MAX_OBSERVED),
    holds: answer !== undefined && wrong === '' && holds(answer),
  };
}

export function callFinding(
  { id, says, expected, answers }: CallProbe,
  answer: string | undefined,
  ending: Ending,
): ProbeFinding {
  return {
    id,
    says,
    expected,
    observed: answer ?? notTried(ending),
    holds: answers.some((right) => right === answer),
  };
}

function notTried({ fault, code, signal }: Ending): string {
  const why = fault?.reason ?? `the script ended with ${code ?? signal ?? 'nothing'}`;
  return `not tried: ${why}`.slice(0, MAX_OBSERVED);
}
