import { fromJson } from '@bufbuild/protobuf';
import { PalyraError, type RunId, type SealedEntry, type SessionId, parseId } from '@palyra/kernel';
import { RunCompactedSchema, RunStatus } from '@palyra/protocol';
import type { GatewayParts } from '../../parts.ts';
import type { PrincipalRun, RunIdentity } from '../run-note.ts';
import { type TaintLabel, taintOf } from '../taint.ts';
import { entriesOfRun } from '../watch.ts';
import { loadImages } from './images.ts';
import { type Memory, type Summary, withSummary } from './memory.ts';
import { leavesRoom } from './room.ts';
import { bytesFor } from './tokens.ts';
import {
  type AnswerUnit,
  type PromptUnit,
  type Unit,
  endingOf,
  startOf,
  unitsOf,
} from './units.ts';
import { loadNotes } from './workspace-notes.ts';

export type MemoryParts = Pick<
  GatewayParts,
  'journal' | 'runs' | 'sessions' | 'blobs' | 'settings' | 'catalogue'
>;

/** Runs that are looked at, at most. */
const MOST_RUNS = 1_000;
const RUNS_A_PAGE = 50;
/** So many times what fits is read; what lies further back would be left out all the same. */
const READ_AHEAD = 4;

/**
 * What a run remembers: itself, the runs of its session that were asked for before it, and, when the
 * session was branched, those up to the run that it was branched from. All of it comes from the
 * journal, so it is the same after a crash.
 */
export async function remember(
  run: PrincipalRun,
  parts: MemoryParts,
  known?: JustBegun,
): Promise<Remembered> {
  const entries =
    known?.entries ?? (await Array.fromAsync(entriesOfRun(run.runId, 0, parts.journal)));
  const { prompt, own } = ownUnits(run.runId, entries);
  const isFirst = known?.session === 'made-for-it';
  const past = isFirst ? NO_PAST : await readPast(run, summaryIn(entries, parts), parts);
  const memory = withPast({ prompt, own }, past);
  const started = entries.find(({ kind }) => kind === 'run.started');
  const hash = started === undefined ? '' : startOf(started).workspaceNotesSha256;
  const notes = await loadNotes(hash, parts.blobs);
  const images = await loadImages([...memory.earlier, memory.prompt], parts.blobs);
  return {
    memory: { ...memory, notes, images },
    entries,
    taint: new Set([...past.taint, ...seenIn(entries)]),
  };
}

/** A run whose beginning has just been written, and is all that there is of it. */
export interface JustBegun {
  readonly entries: readonly SealedEntry[];
  /** Before one that was made for the run there is nothing to remember. */
  readonly session: 'made-for-it' | 'older';
}

export interface Remembered {
  readonly memory: Memory;
  /** Of the run itself. */
  readonly entries: readonly SealedEntry[];
  /** What has been seen in all of it. */
  readonly taint: ReadonlySet<TaintLabel>;
}

/** Contract: the run has begun. */
function ownUnits(runId: RunId, entries: readonly SealedEntry[]) {
  const [prompt, ...rest] = unitsOf(entries);
  if (prompt?.kind !== 'prompt') {
    throw new PalyraError('JOURNAL_CORRUPT', `the beginning of run \`${runId}\` is missing`);
  }
  return { prompt, own: rest.filter(isWholeAnswer) };
}

/** What was cut off in this run is asked for anew; of an earlier run it is all that there is. */
export function isWholeAnswer(unit: Unit): unit is AnswerUnit {
  return unit.kind === 'answer' && !unit.isPartial;
}

function isBrokenOff(unit: Unit): boolean {
  return unit.kind === 'answer' && unit.isPartial;
}

interface Past {
  readonly units: readonly Unit[];
  readonly summary: Summary | undefined;
  readonly isCut: boolean;
  readonly taint: readonly TaintLabel[];
}

const NO_PAST: Past = { units: [], summary: undefined, isCut: false, taint: [] };

function withPast(
  { prompt, own }: { readonly prompt: PromptUnit; readonly own: readonly AnswerUnit[] },
  { units, summary, isCut }: Past,
): Memory {
  const whole: Memory = {
    notes: '',
    summary: undefined,
    isCut,
    earlier: units,
    prompt,
    own,
    images: new Map(),
  };
  return summary === undefined ? whole : withSummary(whole, summary);
}

/**
 * From the newest run back to what was told in short last, to the first, or to as much as is read.
 * INVARIANT: nothing of a run of somebody else is told, because its prompt would pass for the words
 * of the one whose run this is. Later answers may rest on it all the same.
 */
async function readPast(
  run: PrincipalRun,
  ownSummary: Summary | undefined,
  parts: MemoryParts,
): Promise<Past> {
  const limitBytes = READ_AHEAD * bytesFor(parts.settings.context_tokens);
  const newestFirst: (readonly Unit[])[] = [];
  const taint: TaintLabel[] = [];
  let summary = ownSummary;
  let bytes = 0;
  let runs = 0;
  const past = (isCut: boolean): Past => ({
    units: newestFirst.toReversed().flat(),
    summary,
    isCut,
    // What cannot be read any more may have been anything, and later answers rest on it.
    taint: isCut ? TAINT_LABELS : taint,
  });
  for await (const { runId, principal } of runsBefore(run, parts)) {
    if (runs === MOST_RUNS || bytes > limitBytes) return past(true);
    const entries = await Array.fromAsync(entriesOfRun(runId, 0, parts.journal));
    runs += 1;
    bytes += entries.reduce((sum, { canonical }) => sum + canonical.length, 0);
    taint.push(...seenIn(entries));
    if (principal !== run.principal) {
      taint.push('tool');
      continue;
    }
    summary ??= summaryIn(entries, parts);
    const units = unitsOfRun(entries);
    newestFirst.push(units);
    const through = summary?.throughSequence ?? 0;
    if (units.length > 0 && units.every(({ sequence }) => sequence <= through)) return past(false);
    if (isBeginningGone(entries)) return past(summary === undefined);
  }
  return past(false);
}

/** One that was given up while it waited has said nothing. */
function unitsOfRun(entries: readonly SealedEntry[]): readonly Unit[] {
  const all = unitsOf(entries);
  // An answer that broke off and was asked for anew is told as it then came out.
  const units = all.filter((unit, place) => place === all.length - 1 || !isBrokenOff(unit));
  const ending = units.length === 0 ? undefined : endingOf(entries);
  return ending === undefined ? units : [...units, ending];
}

/** Newest first: those of the session before the run, then those of the one it was branched from. */
async function* runsBefore(run: PrincipalRun, parts: MemoryParts): AsyncGenerator<PrincipalRun> {
  let place: PrincipalRun | undefined = run;
  while (place !== undefined) {
    yield* runsOfSession(place, parts);
    place = await originOf(place.sessionId, parts);
    if (place !== undefined) yield place;
  }
}

async function* runsOfSession(
  { sessionId, runId }: RunIdentity,
  { runs }: MemoryParts,
): AsyncGenerator<PrincipalRun> {
  let before: RunId | undefined = runId;
  while (before !== undefined) {
    const page = await runs.list({ sessionId, before, limit: RUNS_A_PAGE });
    before = undefined;
    for (const { runId: text, principal, status } of page) {
      before = parseId<'run'>(text);
      // One that still waits has said nothing.
      if (before === undefined || status === RunStatus.QUEUED) continue;
      yield { runId: before, sessionId, principal };
    }
  }
}

async function originOf(
  sessionId: SessionId,
  { sessions, runs }: MemoryParts,
): Promise<PrincipalRun | undefined> {
  const session = await sessions.find(sessionId);
  const runId = parseId<'run'>(session?.branchedFromRunId ?? '');
  const origin = runId === undefined ? undefined : await runs.get(runId);
  const originSession = parseId<'session'>(origin?.sessionId ?? '');
  if (runId === undefined || origin === undefined || originSession === undefined) return undefined;
  return { runId, sessionId: originSession, principal: origin.principal };
}

/**
 * The last that is still needed. What stands in short for words that have room by now, because a model
 * is told more at once, gives way to them: the journal has every one.
 */
function summaryIn(entries: readonly SealedEntry[], parts: MemoryParts): Summary | undefined {
  const last = entries
    .filter(({ kind }) => kind === 'run.compacted')
    .map(({ payload }) => fromJson(RunCompactedSchema, payload, READ))
    .findLast(({ tokensBefore }) => !leavesRoom(Number(tokensBefore), parts));
  if (last === undefined) return undefined;
  return { throughSequence: Number(last.throughSequence), text: last.summary };
}

/** Also what stands in short for runs that are not read any more. */
function seenIn(entries: readonly SealedEntry[]): readonly TaintLabel[] {
  const told = entries
    .filter(({ kind }) => kind === 'run.compacted')
    .flatMap(({ payload }) => fromJson(RunCompactedSchema, payload, READ).taint);
  const notes: readonly TaintLabel[] = entries.some(hasNotes) ? ['file'] : [];
  return [...taintOf(entries), ...notes, ...TAINT_LABELS.filter((label) => told.includes(label))];
}

/** Of a run that was told what the workspace says: its words may come of that. */
function hasNotes({ kind, payload }: SealedEntry): boolean {
  return kind === 'run.started' && payload['workspaceNotesSha256'] !== undefined;
}

const TAINT_LABELS: readonly TaintLabel[] = ['web', 'tool', 'mcp', 'file', 'memory', 'secret'];

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/** Its first segment was archived, and with it everything before. */
function isBeginningGone([first]: readonly SealedEntry[]): boolean {
  return first !== undefined && first.kind !== 'run.started' && first.kind !== 'run.queued';
}
