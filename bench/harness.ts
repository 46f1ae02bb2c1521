/** What a run counts, and which way is good. */
export interface Quantity {
  readonly unit: 'ms' | 'µs' | 'MB' | 'KB' | '/s' | 'of 100';
  readonly better: 'lower' | 'higher';
}

export const DURATION: Quantity = { unit: 'ms', better: 'lower' };
/** Of what a thousandth of a millisecond matters for. */
export const BRIEF_DURATION: Quantity = { unit: 'µs', better: 'lower' };
export const MEMORY: Quantity = { unit: 'MB', better: 'lower' };
export const SIZE: Quantity = { unit: 'KB', better: 'lower' };
export const RATE: Quantity = { unit: '/s', better: 'higher' };
export const SCORE: Quantity = { unit: 'of 100', better: 'higher' };

/** One sample a round. Most subjects read one thing of themselves; a process may be read twice. */
export type Readings = Readonly<Record<string, number>>;
export type Subject = () => Promise<Readings>;

export interface Plan {
  readonly title: string;
  readonly quantity: Quantity;
  readonly subjects: readonly Subject[];
  /** Measured and thrown away: caches, compilers and page tables settle in them. */
  readonly warmUps: number;
  readonly rounds: number;
}

/**
 * What was measured side by side.
 * INVARIANT: every series has one sample for each round, taken within that round, so two series of
 * one run saw the same machine. Series of different runs must not be compared.
 */
export interface Run {
  readonly title: string;
  readonly quantity: Quantity;
  readonly series: Readonly<Record<string, readonly number[]>>;
}

/** A B, B A, A B …: what drifts, drifts for everybody. */
export async function interleave(plan: Plan): Promise<Run> {
  for (let round = 0; round < plan.warmUps; round += 1) await measureRound(plan.subjects, round);

  const series: Record<string, number[]> = {};
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [name, sample] of await measureRound(plan.subjects, round)) {
      (series[name] ??= []).push(sample);
    }
  }
  refuseGaps(series, plan);
  return { title: plan.title, quantity: plan.quantity, series };
}

export function subject(name: string, measure: () => Promise<number>): Subject {
  return async () => ({ [name]: await measure() });
}

async function measureRound(
  subjects: readonly Subject[],
  round: number,
): Promise<readonly (readonly [string, number])[]> {
  const samples: (readonly [string, number])[] = [];
  for (const measure of round % 2 === 0 ? subjects : subjects.toReversed()) {
    samples.push(...Object.entries(await measure()));
  }
  return samples;
}

function refuseGaps(series: Readonly<Record<string, readonly number[]>>, plan: Plan): void {
  for (const [name, samples] of Object.entries(series)) {
    if (samples.length === plan.rounds && samples.every(Number.isFinite)) continue;
    throw new Error(`\`${name}\` was not measured once in every round of \`${plan.title}\``);
  }
}
