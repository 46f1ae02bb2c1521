import { createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { RuleSet } from '../model.ts';
import type { PolicyJob } from '../worker/policy-job.ts';
import { compareSets } from './compare-sets.ts';
import type { Difference, KnownTool } from './difference.ts';
import type { BacktestReport } from './report.ts';
import { createTally, type Tally } from './tally.ts';

export interface CompareTask {
  readonly old: RuleSet;
  readonly candidate: RuleSet;
  readonly tools: readonly KnownTool[];
}

export const compareJob: PolicyJob<undefined, CompareTask, Difference> = {
  open: () => ({ take: ({ old, candidate, tools }) => compareSets(old, candidate, { tools }) }),
};

export type BacktestBatch =
  /** Canonical texts of entries, a newline after each: no canonical text has one in it. */
  { readonly kind: 'lines'; readonly lines: Uint8Array } | { readonly kind: 'end' };

export interface BacktestStep {
  readonly decided: number;
  /** In answer to the end. */
  readonly report?: BacktestReport;
}

export const backtestJob: PolicyJob<RuleSet, BacktestBatch, BacktestStep> = {
  open: (set) => {
    const loading = createEngine().load(set, 'candidate');
    // Whoever sends the first batch is told.
    loading.catch(() => undefined);
    const begun = begin(loading);
    return { take: async (batch) => take(await begun(), batch) };
  },
};

/** One tally for all batches. */
function begin(loading: Promise<LoadedSet>): () => Promise<Tally> {
  let tally: Tally | undefined;
  return async () => (tally ??= createTally(await loading));
}

const decoder = new TextDecoder();

function take(tally: Tally, batch: BacktestBatch): BacktestStep {
  if (batch.kind === 'end') return { decided: tally.decided(), report: tally.report() };
  for (const line of decoder.decode(batch.lines).split('\n')) {
    if (line !== '') tally.add(line);
  }
  return { decided: tally.decided() };
}
