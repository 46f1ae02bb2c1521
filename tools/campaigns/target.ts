import type { Random } from '@palyra/testkit';

/** Something that reads what others wrote. */
export interface Target {
  readonly name: string;
  readonly inputs: number;
  /** Makes the next input and feeds it. Contract: a PalyraError is a good answer; anything else that is thrown is a bug. */
  readonly next: (random: Random) => Fed;
}

export interface Fed {
  /** For the report of a bug. */
  readonly input: string;
  readonly outcome: () => unknown;
}
