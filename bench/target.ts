import type { Run } from './harness.ts';
import { type Summary, summarise } from './summary.ts';

export type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** A promise about a figure. Ratios and differences are against a baseline of the same run. */
export type Target =
  | {
      readonly kind: 'ratio' | 'difference';
      readonly subject: string;
      readonly baseline: string;
      readonly limit: Limit;
    }
  | { readonly kind: 'value'; readonly subject: string; readonly limit: Limit };

export interface Verdict {
  readonly target: Target;
  /** `×` for a ratio, otherwise the unit of the run. */
  readonly unit: string;
  /** By the medians; this one decides. */
  readonly byMedian: number;
  /** By the best rounds: what is left when the machine disturbs nobody. */
  readonly byBest: number;
  readonly isMet: boolean;
  /** How much of what is allowed was used: up to 1 is met, whichever way the limit looks. */
  readonly used: number;
}

/** Contract: throws for a target whose subject and baseline were not measured in the same run. */
export function judge(target: Target, runs: readonly Run[]): Verdict {
  const run = runOf(target, runs);
  const subject = summaryOf(run, target.subject);
  const baseline = target.kind === 'value' ? subject : summaryOf(run, target.baseline);
  const byMedian = measured(target.kind, subject.median, baseline.median);
  const used =
    'atMost' in target.limit ? byMedian / target.limit.atMost : target.limit.atLeast / byMedian;
  return {
    target,
    unit: target.kind === 'ratio' ? '×' : run.quantity.unit,
    byMedian,
    byBest: measured(target.kind, subject.best, baseline.best),
    isMet: used <= 1,
    used,
  };
}

function runOf(target: Target, runs: readonly Run[]): Run {
  const names = target.kind === 'value' ? [target.subject] : [target.subject, target.baseline];
  const run = runs.find(({ series }) => names.every((name) => Object.hasOwn(series, name)));
  if (run === undefined) {
    throw new Error(
      `${names.map((name) => `\`${name}\``).join(' and ')} were not measured in the same run`,
    );
  }
  return run;
}

function summaryOf({ series, quantity }: Run, name: string): Summary {
  return summarise(series[name] ?? [], quantity);
}

function measured(kind: Target['kind'], subject: number, baseline: number): number {
  switch (kind) {
    case 'ratio':
      return subject / baseline;
    case 'difference':
      return subject - baseline;
    case 'value':
      return subject;
  }
}
