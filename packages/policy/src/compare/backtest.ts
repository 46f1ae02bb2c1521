import type { RuleSet } from '../model.ts';
import { openPolicyJob, runPolicyJob } from '../worker/run-job.ts';
import type { Difference } from './difference.ts';
import type { BacktestStep, CompareTask } from './jobs.ts';
import type { BacktestReport } from './report.ts';

/** What any principal gains and loses between two sets, found out in a process of its own. */
export function compare(task: CompareTask, signal: AbortSignal): Promise<Difference> {
  return runPolicyJob('compare', { init: undefined, batch: task }, signal);
}

/** Entries of the journal that lie next to one another. */
export interface RecordedPage {
  readonly entries: number;
  /** The `tool.decided` ones among them. */
  readonly decisions: readonly { readonly canonical: Uint8Array }[];
}

export interface RecordedDecisions {
  /** Contract: in order, from wherever the backtest is to begin. */
  read(signal: AbortSignal): AsyncIterable<RecordedPage>;
}

export interface BacktestProgress {
  /** Calls that were decided again so far. */
  readonly decided: bigint;
  /** Entries that were read so far. */
  readonly read: bigint;
  /** Only in the last one. */
  readonly report?: BacktestReport;
}

/** So many pages are on their way to the process: it never waits, and this one holds no more. */
const MAX_AHEAD = 3;

/**
 * Decides every recorded call again, under the candidate, in a process of its own; this one reads
 * pages and hands their bytes over. A report on a shadow is the same over the calls since it began, so
 * that nothing has to be kept meanwhile.
 */
export async function* backtest(
  { set, journal }: { readonly set: RuleSet; readonly journal: RecordedDecisions },
  signal: AbortSignal,
): AsyncGenerator<BacktestProgress> {
  await using job = openPolicyJob('backtest', set, signal);
  const ahead: { readonly step: Promise<BacktestStep>; readonly read: number }[] = [];
  let read = 0;
  for await (const page of journal.read(signal)) {
    read += page.entries;
    if (page.decisions.length > 0) {
      const step = job.send({ kind: 'lines', lines: joined(page.decisions) });
      // Whoever takes it from the list is told; until then it is nobody's fault.
      step.catch(() => undefined);
      ahead.push({ step, read });
    }
    const first = ahead.length < MAX_AHEAD ? undefined : ahead.shift();
    if (first !== undefined) yield progress(await first.step, first.read);
  }
  for (const { step, read: soFar } of ahead) yield progress(await step, soFar);
  yield progress(await job.send({ kind: 'end' }), read);
}

function progress({ decided, ...step }: BacktestStep, read: number): BacktestProgress {
  return { ...step, decided: BigInt(decided), read: BigInt(read) };
}

const NEWLINE = 10;

/** One piece of memory, because each of many would be copied with whatever surrounds it. */
function joined(decisions: RecordedPage['decisions']): Uint8Array {
  const length = decisions.reduce((sum, { canonical }) => sum + canonical.length + 1, 0);
  const lines = new Uint8Array(length);
  let at = 0;
  for (const { canonical } of decisions) {
    lines.set(canonical, at);
    at += canonical.length;
    lines[at] = NEWLINE;
    at += 1;
  }
  return lines;
}
