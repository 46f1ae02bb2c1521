import { describeOrigin } from './origin.ts';
import type { ConfigProblem, ProblemCode } from './problem.ts';
import { type Traces, winnerOf } from './resolve.ts';
import type { Config, KeyOf, Sections } from './sections.ts';

/** Settings that are each fine and wrong together, or ask for what this build cannot do. */
export interface Contradiction<S extends Sections> {
  /** The key to change first, then the others that take part. */
  readonly keys: readonly [KeyOf<S>, ...KeyOf<S>[]];
  /** What is wrong; the keys and where each comes from are added to it. */
  readonly message: string;
  /** The fix. */
  readonly help: string;
  /** Absent for CONFIG_CONTRADICTION. */
  readonly code?: Extract<ProblemCode, 'CONFIG_CONTRADICTION' | 'NOT_BUILT'>;
}

/** Pure. Contract: `undefined` when all is well. */
export type ContradictionCheck<S extends Sections> = (
  config: Config<S>,
) => Contradiction<S> | undefined;

export function findContradictions<S extends Sections>(
  checks: readonly ContradictionCheck<S>[],
  config: Config<S>,
  traces: Traces,
): readonly ConfigProblem[] {
  return checks.flatMap((check) => {
    const found = check(config);
    return found === undefined ? [] : [toProblem(found, traces)];
  });
}

function toProblem<S extends Sections>(
  { keys, message, help, code = 'CONFIG_CONTRADICTION' }: Contradiction<S>,
  traces: Traces,
): ConfigProblem {
  const parts = keys.map((key) => ({
    key,
    origin: winnerOf(traces, key)?.origin ?? { kind: 'built-in' as const },
  }));
  const where = parts.map(({ key, origin }) => `\`${key}\` from ${describeOrigin(origin)}`);
  return {
    code,
    key: keys[0],
    origin: parts[0]?.origin ?? { kind: 'built-in' },
    message: `${message} (${where.join(', ')})`,
    help,
  };
}
