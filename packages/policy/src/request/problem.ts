import type { PolicyRequest } from '../model.ts';

/** Why there is nothing to ask the rules: whoever gets one denies, and says it. */
export interface RequestProblem {
  readonly problem: string;
}

export function isProblem(value: object): value is RequestProblem {
  return 'problem' in value;
}

export type Asked = PolicyRequest | RequestProblem;
