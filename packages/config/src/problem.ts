import { type ErrorCode, PalyraError } from '@palyra/kernel';
import type { Origin } from './origin.ts';

/** One thing that is wrong with the configuration. All of them are reported together. */
export interface ConfigProblem {
  readonly code: ProblemCode;
  /** `section.key`; absent when a whole file, directory or section is meant. */
  readonly key?: string;
  readonly origin: Origin;
  /** One line that names the key, where it stands and what is wrong. Never holds a secret. */
  readonly message: string;
  readonly help: string;
}

export type ProblemCode = Extract<ErrorCode, `CONFIG_${string}` | 'HOME_UNSAFE' | 'NOT_BUILT'>;

/** Of each layer and altogether; a hostile file must not fill the terminal. */
export const MAX_PROBLEMS = 50;

/** The first problem gives code, message and help; `problems` has the first MAX_PROBLEMS. */
export class ConfigError extends PalyraError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]]) {
    const [first] = problems;
    super(first.code, `${first.message}${countOthers(problems.length - 1)}`, { help: first.help });
    this.problems = Object.freeze(problems.slice(0, MAX_PROBLEMS));
  }
}

export function refuseAny(problems: readonly ConfigProblem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new ConfigError([first, ...rest]);
}

function countOthers(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' (and 1 more problem)' : ` (and ${count} more problems)`;
}
