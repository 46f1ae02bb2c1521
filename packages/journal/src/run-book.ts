import { type ChainPoint, decodeEntry, type SealedEntry } from '@palyra/kernel';
import type { Run } from '@palyra/protocol';
import { ActivityBook } from './activity-book.ts';
import type { RunsQuery } from './journal.ts';
import { isRunKind, projectRun } from './run-projection.ts';
import { corrupt, type Store } from './store.ts';
import { type RunSpan, spanEnd } from './tables/run-spans.ts';
import { cutPrompt, isUnderWay, type RunRow, toRun } from './tables/runs.ts';

/** Entries that the tables may be behind, give or take one commit: reading these again is quick. */
const MOST_ENTRIES = 4096;
/** Bytes of entries about runs, which hold the prompts, that may be kept here instead of there. */
const MOST_BYTES = 1024 * 1024;
/** Runs whose span is remembered although the table has it. */
const MOST_REMEMBERED = 4096;

/** More than this the tables are never behind, whatever the settings are. */
export const MOST_BEHIND = 16_384;

/** With the run's newest entry: the table has only the step that it is in, which may hold a thousand of others. */
type LiveSpan = { -readonly [Key in keyof RunSpan]: RunSpan[Key] } & { newest: number };

/**
 * Runs and their spans as the entries tell them, and what is counted of those: the tables, and over
 * them what the newest entries change. Writing that with every commit would add half as many pages again to it; it is written
 * once in a while, together with how far it goes, and after a crash read again from the entries.
 */
export class RunBook {
  readonly #store: Store;
  readonly #rows = new Map<string, RunRow>();
  readonly #spans = new Map<string, LiveSpan>();
  /** Those of `#spans` that the table does not have. */
  readonly #changed = new Set<string>();
  readonly #activity: ActivityBook;
  #entries = 0;
  #bytes = 0;
  /** Where a transaction that failed leaves us: what is kept here has to be read again up to there. */
  #readUpTo: ChainPoint | undefined;

  /** Contract: throws JOURNAL_CORRUPT when the tables are not where they can be. */
  constructor(store: Store, head: ChainPoint) {
    this.#store = store;
    this.#activity = new ActivityBook(store);
    this.#readAgain(head);
  }

  /** True when it is time to write. */
  get isDue(): boolean {
    return this.#entries >= MOST_ENTRIES || this.#bytes >= MOST_BYTES;
  }

  get isWritten(): boolean {
    return this.#entries === 0;
  }

  /** Contract: called once for each entry, in order, within the transaction that writes it. */
  add(entry: SealedEntry): void {
    this.#entries += 1;
    this.#activity.add(entry);
    const { runId, kind } = entry;
    if (runId === undefined) return;
    const span = this.#cover(runId, entry);
    if (!isRunKind(kind)) return;
    // A run that begins with this entry is in no table: asking would cost more than the rest.
    const isNew = span.firstSequence === entry.sequence;
    const row = projectRun(isNew ? undefined : this.#row(runId), entry);
    if (row === undefined) return;
    this.#rows.set(runId, row);
    this.#bytes += entry.canonical.length;
  }

  /** Brings the tables up to `point`, the entry that was added last. Contract: in a transaction. */
  write(point: ChainPoint): void {
    const { runs, runSpans, projection } = this.#store;
    for (const runId of this.#changed) {
      const span = this.#spans.get(runId);
      if (span !== undefined) runSpans.write(runId, span);
    }
    for (const row of this.#rows.values()) runs.write(row);
    this.#activity.write();
    projection.move(point);
    this.#rows.clear();
    this.#changed.clear();
    if (this.#spans.size > MOST_REMEMBERED) this.#spans.clear();
    this.#entries = 0;
    this.#bytes = 0;
  }

  /** The transaction has failed: nothing of it was added or written, and the head is this one. */
  undo(head: ChainPoint): void {
    // Not now: the disk may be in trouble, and whoever asks for a run shall hear of it.
    this.#readUpTo = head;
  }

  /** Contract: called when runs were removed from the tables, and everything is written. */
  forget(): void {
    this.#spans.clear();
  }

  span(runId: string): RunSpan | undefined {
    if (this.#readUpTo !== undefined) this.#readAgain(this.#readUpTo);
    const live = this.#spans.get(runId);
    if (live === undefined) return this.#store.runSpans.get(runId);
    const { firstSequence, newest, toolCalls } = live;
    return { firstSequence, lastSequence: newest, toolCalls };
  }

  run(runId: string): Run | undefined {
    if (this.#readUpTo !== undefined) this.#readAgain(this.#readUpTo);
    const row = this.#row(runId);
    return row === undefined ? undefined : this.#told(row);
  }

  /** Newest first, with the beginning of each prompt. */
  list({ limit, sessionId, before, principal }: RunsQuery): Run[] {
    if (this.#readUpTo !== undefined) this.#readAgain(this.#readUpTo);
    const end = this.#startOf(before);
    const told = this.#merge(this.#store.runs.list({ limit, sessionId, before: end, principal }));
    return told
      .filter((row) => row.startedSequence < end)
      .filter((row) => sessionId === undefined || row.sessionId === sessionId)
      .filter((row) => principal === undefined || row.principal === principal)
      .toReversed()
      .slice(0, limit)
      .map((row) => this.#told({ ...row, prompt: cutPrompt(row.prompt) }));
  }

  active(): Run[] {
    const told = this.#merge(this.#store.runs.active());
    return told.filter(isUnderWay).map((row) => this.#told(row));
  }

  /** As counted up to now. */
  get activity(): ActivityBook {
    if (this.#readUpTo !== undefined) this.#readAgain(this.#readUpTo);
    return this.#activity;
  }

  #readAgain(head: ChainPoint): void {
    const { entries, projection } = this.#store;
    const point = projection.read();
    const behind = head.sequence - (point?.sequence ?? -1);
    if (point === undefined || behind < 0 || behind > MOST_BEHIND) {
      throw corrupt('how far the tables have been brought is not known');
    }
    this.#rows.clear();
    this.#changed.clear();
    this.#spans.clear();
    this.#activity.clear();
    this.#entries = 0;
    this.#bytes = 0;
    const range = { after: point.sequence, upTo: head.sequence };
    for (const canonical of entries.range(range, MOST_BEHIND)) {
      const entry = decodeEntry(canonical, '');
      if (entry === undefined) throw corrupt('an entry that the tables lack cannot be read');
      this.add(entry);
    }
    this.#readUpTo = undefined;
  }

  #row(runId: string): RunRow | undefined {
    return this.#rows.get(runId) ?? this.#store.runs.get(runId);
  }

  #startOf(runId: string | undefined): number {
    if (runId === undefined) return Number.MAX_SAFE_INTEGER;
    return this.#row(runId)?.startedSequence ?? 0;
  }

  #told(row: RunRow): Run {
    return toRun(row, this.span(row.runId)?.toolCalls ?? 0);
  }

  /** Rows of the table as they are by now, and those that are not there yet; oldest first. */
  #merge(rows: Iterable<RunRow>): readonly RunRow[] {
    if (this.#readUpTo !== undefined) this.#readAgain(this.#readUpTo);
    const merged = new Map(Array.from(rows, (row) => [row.runId, row]));
    for (const [runId, row] of this.#rows) merged.set(runId, row);
    return [...merged.values()].toSorted((a, b) => a.startedSequence - b.startedSequence);
  }

  #cover(runId: string, { sequence, kind }: SealedEntry): RunSpan {
    let span = this.#spans.get(runId);
    if (span === undefined) {
      span = { ...(this.#store.runSpans.get(runId) ?? newSpan(sequence)), newest: sequence };
      this.#spans.set(runId, span);
    }
    span.newest = sequence;
    if (sequence > span.lastSequence) {
      span.lastSequence = spanEnd(sequence);
      this.#changed.add(runId);
    }
    if (kind === 'tool.finished') {
      span.toolCalls += 1;
      this.#changed.add(runId);
    }
    return span;
  }
}

function newSpan(firstSequence: number): RunSpan {
  return { firstSequence, lastSequence: 0, toolCalls: 0 };
}
