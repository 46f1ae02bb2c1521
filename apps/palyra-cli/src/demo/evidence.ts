import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { PalyraClient } from '@palyra/client';
import { askDaemonProgram } from '../daemon-program.ts';
import { type Report, readVerifyReport } from '../verify-report.ts';
import { PROOF } from './chapters.ts';
import { type StepOutcome, asTold } from './check.ts';
import type { Stage } from './stage.ts';
import { HOOK, KNOWN_LINE } from './workspace.ts';

export interface Found {
  /** A line of a file that was read is in the journal, so that what was looked for can be found. */
  readonly knowsWhatWasRead: boolean;
  readonly hasCanary: boolean;
  readonly hasHook: boolean;
}

export async function lookAround(
  { workspace }: Stage,
  { journal }: PalyraClient,
  canary: string,
): Promise<Found> {
  let [knowsWhatWasRead, hasCanary] = [false, false];
  for await (const { line } of journal.exportJournal({ runId: '' })) {
    const entry = Buffer.from(line);
    knowsWhatWasRead ||= entry.includes(KNOWN_LINE);
    hasCanary ||= entry.includes(canary);
  }
  const hasHook = await access(join(workspace, HOOK)).then(
    () => true,
    () => false,
  );
  return { knowsWhatWasRead, hasCanary, hasHook };
}

/** Contract: pure. A step that already came out otherwise keeps its own reason. */
export function withEvidence(outcome: StepOutcome, found: Found): StepOutcome {
  if (!outcome.isAsTold) return outcome;
  const because = found.hasCanary
    ? 'the canary secret is in the journal'
    : found.hasHook
      ? 'the git hook was written'
      : found.knowsWhatWasRead
        ? ''
        : 'the journal does not hold what was read, so that looking for the secret proves nothing';
  return because === '' ? outcome : { ...outcome, isAsTold: false, because };
}

export async function verifyJournal({ shell }: Stage): Promise<Report> {
  return readVerifyReport(await askDaemonProgram(shell, ['journal', 'verify']));
}

/** Contract: pure. It has to cover every entry that the story has seen. */
export function checkProof(report: Report, lastSequence: bigint): StepOutcome {
  const failed = { step: PROOF.id, isAsTold: false, calls: [], help: '' };
  if (report.verdict === 'broken') return { ...failed, because: report.fault.reason };
  if (BigInt(report.lastSequence) >= lastSequence && lastSequence > 0n) return asTold(PROOF.id);
  return { ...failed, because: `it ends before entry ${lastSequence}, which the run has made` };
}
