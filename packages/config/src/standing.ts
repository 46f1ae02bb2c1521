import type { Origin } from './origin.ts';
import type { ConfigProblem } from './problem.ts';

/**
 * What would become of the strongest good value of a key if every problem were mended: it `wins`;
 * a stronger layer sets the key to something that is `refused`; a stronger file is `unread`, so
 * nobody knows whether it sets the key, too.
 */
export type Standing = 'wins' | 'refused' | 'unread';

/** Pure. Contract: the problems are those of the layers alone; the origin is that of the value. */
export function standingOf(
  key: string,
  origin: Origin,
  problems: readonly ConfigProblem[],
): Standing {
  const above = problems.filter((problem) => isStronger(problem.origin, origin));
  // What a workspace may not say never counts, mended or not.
  if (above.some((problem) => problem.key === key && problem.code !== 'CONFIG_WIDENED')) {
    return 'refused';
  }
  return above.some((problem) => problem.key === undefined) ? 'unread' : 'wins';
}

/** Weakest first. */
const LAYERS: readonly Origin['kind'][] = [
  'built-in',
  'profile',
  'system',
  'user',
  'named',
  'environment',
  'flag',
  'workspace',
];

function isStronger(one: Origin, other: Origin): boolean {
  return LAYERS.indexOf(one.kind) > LAYERS.indexOf(other.kind);
}
