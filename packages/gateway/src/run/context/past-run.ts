import { fromJson } from '@bufbuild/protobuf';
import type { SealedEntry } from '@palyra/kernel';
import { type RunCompacted, RunCompactedSchema } from '@palyra/protocol';
import { type TaintLabel, taintOf } from '../taint.ts';
import { type Unit, endingOf, unitsOf } from './units.ts';

/** All that is remembered of an earlier run. INVARIANT: worked out from its entries and nothing else. */
export interface PastRun {
  readonly units: readonly Unit[];
  /** What was told in short in it, oldest first. */
  readonly compactions: readonly RunCompacted[];
  /** What has been seen in it. */
  readonly taint: readonly TaintLabel[];
  /** Its first segment was archived, and with it everything before. */
  readonly isBeginningGone: boolean;
  /** Of its entries. */
  readonly bytes: number;
}

export function pastRunOf(entries: readonly SealedEntry[]): PastRun {
  const [first] = entries;
  return {
    units: unitsOfRun(entries),
    compactions: compactionsIn(entries),
    taint: seenIn(entries),
    isBeginningGone:
      first !== undefined && first.kind !== 'run.started' && first.kind !== 'run.queued',
    bytes: entries.reduce((sum, { canonical }) => sum + canonical.length, 0),
  };
}

export function compactionsIn(entries: readonly SealedEntry[]): readonly RunCompacted[] {
  return entries
    .filter(({ kind }) => kind === 'run.compacted')
    .map(({ payload }) => fromJson(RunCompactedSchema, payload, READ));
}

/** Also what stands in short for runs that are not read any more. */
export function seenIn(entries: readonly SealedEntry[]): readonly TaintLabel[] {
  const told = compactionsIn(entries).flatMap(({ taint }) => taint);
  const notes: readonly TaintLabel[] = entries.some(hasNotes) ? ['file'] : [];
  return [...taintOf(entries), ...notes, ...TAINT_LABELS.filter((label) => told.includes(label))];
}

export const TAINT_LABELS: readonly TaintLabel[] = [
  'web',
  'tool',
  'mcp',
  'file',
  'memory',
  'secret',
];

/** One that was given up while it waited has said nothing. */
function unitsOfRun(entries: readonly SealedEntry[]): readonly Unit[] {
  const all = unitsOf(entries);
  // An answer that broke off and was asked for anew is told as it then came out.
  const units = all.filter((unit, place) => place === all.length - 1 || !isBrokenOff(unit));
  const ending = units.length === 0 ? undefined : endingOf(entries);
  return ending === undefined ? units : [...units, ending];
}

function isBrokenOff(unit: Unit): boolean {
  return unit.kind === 'answer' && unit.isPartial;
}

/** Of a run that was told what the workspace says: its words may come of that. */
function hasNotes({ kind, payload }: SealedEntry): boolean {
  return kind === 'run.started' && payload['workspaceNotesSha256'] !== undefined;
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;
