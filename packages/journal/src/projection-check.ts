import {
  type ChainFault,
  type ChainPoint,
  decodeEntry,
  type EntryLink,
  type EntryView,
  faultAt,
} from '@palyra/kernel';
import { ActivityCheck, type SeenEntry } from './activity-check.ts';
import { kindAt, readKind } from './entry-kind.ts';
import { RecordsCheck } from './records-check.ts';
import { MOST_BEHIND } from './run-book.ts';
import { projectRun } from './run-projection.ts';
import { hasEnded, type RunRow } from './tables/runs.ts';
import { spanEnd } from './tables/run-spans.ts';
import type { Segment } from './tables/segments.ts';
import type { StoredHead } from './tables/statements.ts';
import type { Store } from './store.ts';

/** What the signed statements say about where the store begins and ends. */
export interface StoreEnds extends StoredHead {
  readonly start: ChainPoint;
}

/** What the entries that were read so far say about one run. */
interface SeenRun {
  readonly runId: string;
  firstSequence: number;
  lastSequence: number;
  toolCalls: number;
  row: RunRow | undefined;
}

/**
 * Works out anew what the tables beside the entries should say, and compares. Keeps one row for
 * each run of the store in memory.
 */
export class ProjectionCheck {
  readonly #start: ChainPoint;
  /** Up to here the tables of runs and spans tell; what comes after it, the daemon works out. */
  readonly #point: ChainPoint;
  #isPointInChain: boolean;
  readonly #segments: readonly Segment[];
  readonly #isOpenRowBlank: boolean;
  readonly #runs = new Map<string, SeenRun>();
  readonly #recent: (SeenRun | undefined)[] = Array.from({ length: 256 });
  readonly #records: RecordsCheck;
  readonly #activity = new ActivityCheck();
  #fault: ChainFault | undefined;
  #place = 0;
  #bytes = 0;

  constructor(store: Store, { start, head, segmentBytes }: StoreEnds) {
    this.#start = start;
    this.#records = new RecordsCheck(start.sequence);
    this.#point = store.projection.read() ?? NOWHERE;
    this.#isPointInChain = this.#point.sequence === head.sequence && this.#point.hash === head.hash;
    const rows = [...store.segments.all()];
    const open = rows.pop();
    // The row of the open segment is not written while it fills; the head's row tells.
    this.#isOpenRowBlank =
      open?.lastSequence === (open?.firstSequence ?? 0) - 1 && open?.bytes === 0;
    const filled = { lastSequence: head.sequence, bytes: segmentBytes };
    this.#segments = open === undefined ? rows : [...rows, { ...open, ...filled }];
  }

  /** Contract: called for each entry in order. What does not fit is told at the end. */
  add(entry: EntryView, link: EntryLink): void {
    if (this.#fault !== undefined) return;
    const reason =
      this.#addToTables({ entry, link, kindAt: kindAt(entry.text, entry.at) }) ??
      this.#addToSegment(entry, link);
    if (link.sequence === this.#point.sequence + 1) {
      const from = entry.at + link.previousHashAt;
      this.#isPointInChain = entry.text.startsWith(this.#point.hash, from);
    }
    if (reason === undefined) return;
    this.#fault = faultAt(entry.canonical, { sequence: link.sequence, reason });
  }

  /** Contract: `undefined` when every table says what the entries say. */
  finish(store: Store, lastSequence: number): ChainFault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const reason =
      this.#finishSegments(lastSequence) ??
      this.#finishPoint(lastSequence) ??
      this.#finishSpans(store) ??
      this.#finishRuns(store) ??
      this.#activity.finish(store, this.#start.sequence === 0 ? 'here' : 'archived') ??
      this.#records.finish(store.records);
    return reason === undefined ? undefined : { sequence: lastSequence, reason };
  }

  #addToTables(seen: SeenEntry): string | undefined {
    const { entry, link } = seen;
    const kind = readKind(entry.text, seen.kindAt);
    if (kind === 'records.changed' || kind === 'journal.archived') {
      return this.#records.see(entry, link);
    }
    if (link.sequence > this.#point.sequence) return undefined;
    const run = link.runIdAt < 0 ? undefined : this.#addToRun(entry, link);
    if (kind === 'tool.finished' && run !== undefined) run.toolCalls += 1;
    if (kind === 'run') return this.#project(run, entry);
    this.#activity.see(kind, seen);
    return undefined;
  }

  #addToRun({ text, at }: EntryView, { sequence, runIdAt }: EntryLink): SeenRun {
    const run = this.#runAt(text, at + runIdAt);
    if (run.firstSequence === 0) run.firstSequence = sequence;
    run.lastSequence = sequence;
    return run;
  }

  #project(run: SeenRun | undefined, { canonical }: EntryView): string | undefined {
    const entry = decodeEntry(canonical.slice(), '');
    if (entry === undefined) return 'it is not of a known kind';
    this.#activity.add(entry);
    if (run === undefined) return undefined;
    try {
      run.row = projectRun(run.row, entry);
      return undefined;
    } catch {
      // Only a payload of the wrong shape throws, and none such is ever written.
      return 'its payload is not of its kind';
    }
  }

  /** Most entries belong to a run of a moment ago: looking there first spares a text and a search. */
  #runAt(text: string, at: number): SeenRun {
    const slot =
      (text.charCodeAt(at + ID_LENGTH - 1) * 31 + text.charCodeAt(at + ID_LENGTH - 2)) & 255;
    const recent = this.#recent[slot];
    if (recent !== undefined && text.startsWith(recent.runId, at)) return recent;
    const runId = text.slice(at, at + ID_LENGTH);
    const run = this.#runs.get(runId) ?? unseen(runId);
    this.#runs.set(runId, run);
    this.#recent[slot] = run;
    return run;
  }

  #addToSegment(
    { length, text, at }: EntryView,
    { sequence, previousHashAt }: EntryLink,
  ): string | undefined {
    const segment = this.#segments[this.#place];
    if (segment === undefined) return 'it lies in no segment';
    if (sequence === segment.firstSequence) {
      const from = at + previousHashAt;
      const previousHash = text.slice(from, from + segment.previousHash.length);
      if (previousHash !== segment.previousHash) return 'its segment does not begin with it';
    }
    this.#bytes += length;
    if (sequence < segment.lastSequence) return undefined;
    if (this.#bytes !== segment.bytes) return 'its segment does not end with it';
    this.#bytes = 0;
    this.#place += 1;
    return undefined;
  }

  #finishSegments(lastSequence: number): string | undefined {
    if (!this.#isOpenRowBlank) return 'the row of the open segment was changed';
    let next = this.#start.sequence + 1;
    const firstNumber = this.#segments[0]?.number ?? 0;
    if (firstNumber === 1 ? next !== 1 : firstNumber < 1 || next === 1) {
      return 'the first segment has another number';
    }
    for (const [place, segment] of this.#segments.entries()) {
      if (segment.number !== firstNumber + place) return 'the segments are not numbered in order';
      if (segment.firstSequence !== next) return 'the segments do not follow one another';
      next = segment.lastSequence + 1;
    }
    if (next !== lastSequence + 1) return 'the segments do not cover the entries';
    const unread = this.#segments.slice(this.#place);
    const isEmpty = unread.every(
      (segment) => segment.bytes === 0 && segment.lastSequence < segment.firstSequence,
    );
    return unread.length <= 1 && isEmpty ? undefined : 'the segments do not cover the entries';
  }

  #finishPoint(lastSequence: number): string | undefined {
    const isNear = lastSequence - this.#point.sequence <= MOST_BEHIND;
    if (isNear && this.#isPointInChain) return undefined;
    return 'how far the tables have been brought is wrong';
  }

  #finishSpans(store: Store): string | undefined {
    let found = 0;
    for (const [runId, span] of store.runSpans.all()) {
      const expected = this.#runs.get(runId);
      if (span.firstSequence < 1) return `the span of run ${runId} is wrong`;
      const isOlder = span.firstSequence <= this.#start.sequence;
      if (expected === undefined) {
        if (isOlder && span.lastSequence <= spanEnd(this.#start.sequence)) continue;
        return `the span of run ${runId} is wrong`;
      }
      found += 1;
      const fitsFirst = isOlder || span.firstSequence === expected.firstSequence;
      const fitsLast = span.lastSequence === spanEnd(expected.lastSequence);
      if (!fitsFirst || !fitsLast) return `the span of run ${runId} is wrong`;
      // What archived entries tell of a run cannot be worked out from the store.
      const fitsCalls = isOlder
        ? span.toolCalls >= expected.toolCalls
        : span.toolCalls === expected.toolCalls;
      if (!fitsCalls) return `the tool calls of run ${runId} are miscounted`;
    }
    return found === this.#runs.size ? undefined : 'the span of a run is missing';
  }

  #finishRuns(store: Store): string | undefined {
    let found = 0;
    for (const row of store.runs.all()) {
      if (row.startedSequence <= this.#start.sequence) {
        // Its beginning is archived, and the rest cannot tell all of it; but it must have ended.
        const isKnown = row.startedSequence >= 1 && store.runSpans.get(row.runId) !== undefined;
        if (isKnown && hasEnded(row)) continue;
        return `the row of run ${row.runId} is wrong`;
      }
      found += 1;
      if (!isSameRow(row, this.#runs.get(row.runId)?.row)) {
        return `the row of run ${row.runId} is wrong`;
      }
    }
    const told = this.#runs
      .values()
      .reduce((sum, { row }) => (row === undefined ? sum : sum + 1), 0);
    return found === told ? undefined : 'the row of a run is missing';
  }
}

function isSameRow(a: RunRow, b: RunRow | undefined): boolean {
  return (
    a.startedSequence === b?.startedSequence &&
    a.sessionId === b.sessionId &&
    a.status === b.status &&
    a.startedAt === b.startedAt &&
    a.endedAt === b.endedAt &&
    a.principal === b.principal &&
    a.model === b.model &&
    a.prompt === b.prompt &&
    a.error === b.error &&
    a.stopReason === b.stopReason
  );
}

/** Where no table can have been brought. */
const NOWHERE: ChainPoint = { sequence: -1, hash: '-' };

function unseen(runId: string): SeenRun {
  return { runId, firstSequence: 0, lastSequence: 0, toolCalls: 0, row: undefined };
}

const ID_LENGTH = 26;
