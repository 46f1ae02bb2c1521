import { PalyraError, type RunId, type SealedEntry, type SessionId, parseId } from '@palyra/kernel';
import { type RunCompacted, RunStatus } from '@palyra/protocol';
import type { RunParts } from '../run-context.ts';
import type { PrincipalRun, RunIdentity } from '../run-note.ts';
import type { TaintLabel } from '../taint.ts';
import { entriesOfRun } from '../watch.ts';
import { loadImages } from './images.ts';
import { type Memory, type Summary, withSummary } from './memory.ts';
import { TAINT_LABELS, compactionsIn, seenIn } from './past-run.ts';
import { leavesRoom } from './room.ts';
import { bytesFor } from './tokens.ts';
import { type AnswerUnit, type PromptUnit, type Unit, startOf, unitsOf } from './units.ts';
import { loadNotes } from './workspace-notes.ts';

export type MemoryParts = Pick<
  RunParts,
  'journal' | 'runs' | 'sessions' | 'blobs' | 'settings' | 'catalogue' | 'pastRuns'
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
  const past = isFirst
    ? NO_PAST
    : await readPast(run, summaryIn(compactionsIn(entries), parts), parts);
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
    const { units, ...left } = await parts.pastRuns.read(runId);
    runs += 1;
    bytes += left.bytes;
    taint.push(...left.taint);
    if (principal !== run.principal) {
      taint.push('tool');
      continue;
    }
    summary ??= summaryIn(left.compactions, parts);
    newestFirst.push(units);
    const through = summary?.throughSequence ?? 0;
    if (units.length > 0 && units.every(({ sequence }) => sequence <= through)) return past(false);
    if (left.isBeginningGone) return past(summary === undefined);
  }
  return past(false);
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
function summaryIn(compactions: readonly RunCompacted[], parts: MemoryParts): Summary | undefined {
  const last = compactions.findLast(({ tokensBefore }) => !leavesRoom(Number(tokensBefore), parts));
  if (last === undefined) return undefined;
  return { throughSequence: Number(last.throughSequence), text: last.summary };
}
