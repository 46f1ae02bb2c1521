import type { Quantity } from './harness.ts';

/** `best` and `p95` follow the quantity: of a time the lowest is best, of a rate the highest. */
export interface Summary {
  readonly best: number;
  readonly median: number;
  /** As good as this or better in 95 of 100 rounds. */
  readonly p95: number;
}

export function summarise(samples: readonly number[], { better }: Quantity): Summary {
  const ascending = samples.toSorted((left, right) => left - right);
  const bestFirst = better === 'lower' ? ascending : ascending.toReversed();
  return {
    best: at(bestFirst, 0),
    median: medianOf(ascending),
    p95: at(bestFirst, Math.ceil(0.95 * bestFirst.length) - 1),
  };
}

function medianOf(ascending: readonly number[]): number {
  const middle = Math.floor(ascending.length / 2);
  if (ascending.length % 2 === 1) return at(ascending, middle);
  return (at(ascending, middle - 1) + at(ascending, middle)) / 2;
}

function at(samples: readonly number[], index: number): number {
  const sample = samples[index];
  if (sample === undefined) throw new RangeError('a summary needs at least one sample');
  return sample;
}
