import type { Run } from './harness.ts';
import { type Summary, summarise } from './summary.ts';

export type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** A promise about a figure. Ratios and differences are against a baseline of the same run. */
export type Target = (
  | {
      readonly kind: 'ratio' | 'difference';
      readonly subject: string;
      readonly baseline: string;
    }
  | { readonly kind: 'value'; readonly subject: string }
) & {
  readonly limit: Limit;
  /** Which rounds decide: the middle one unless something else is promised. */
  readonly by?: 'best' | 'p95' | undefined;
};

export interface Verdict {
  readonly target: Target;
  /** `×` for a ratio, otherwise the unit of the run. */
  readonly unit: string;
  /** By the medians, or by what the target names. */
  readonly decisive: number;
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
  const by = target.by ?? 'median';
  const decisive = measured(target.kind, subject[by], baseline[by]);
  const used =
    'atMost' in target.limit ? decisive / target.limit.atMost : target.limit.atLeast / decisive;
  return {
    target,
    unit: target.kind === 'ratio' ? '×' : run.quantity.unit,
    decisive,
    byBest: measured(target.kind, subject.best, baseline.best),
    isMet: used <= 1,
    used,
  };
}

/** Whose samples a target needs. */
export function namesIn(target: Target): readonly string[] {
  return target.kind === 'value' ? [target.subject] : [target.subject, target.baseline];
}

function runOf(target: Target, runs: readonly Run[]): Run {
  const names = namesIn(target);
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
