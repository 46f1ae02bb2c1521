import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { EntriesQuery, EntryNews, ExportFilter, Gateway, TailQuery } from '@palyra/gateway';
import { JOURNAL_KINDS, PalyraError, type SealedEntry, parseId, quote } from '@palyra/kernel';
import {
  type EntryNote,
  EntryNoteSchema,
  type ExportJournalRequest,
  ExportLineSchema,
  type JournalRecord,
  JournalRecordSchema,
  type JournalService,
  type ListEntriesRequest,
  type TailJournalRequest,
} from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { optionalId, optionalMoment, toCount, toSequence } from './wire-words.ts';

const MOST_LAST = 10_000;
const LIST_BOUNDS = { field: 'limit', whenZero: 100, most: 500 } as const;
const MOST_KINDS = 32;
/** Bytes. */
const MOST_TEXT = 256;
const MOST_ACTOR = 256;

export function journalService(gateway: Gateway): ServiceImpl<typeof JournalService> {
  return {
    async *tailJournal(request, { signal }) {
      const query: TailQuery = {
        from: tailStart(request),
        follow: request.follow ? 'for-ever' : 'until-now',
      };
      for await (const entry of gateway.journal.tail(query, signal)) yield toRecord(entry);
    },
    async getEntry(request) {
      const entry = await gateway.journal.find(entryName(request.id));
      return { record: toRecord(entry) };
    },
    async listEntries(request, { signal, values }) {
      const reading = { whose: callerIn(values).principal, signal };
      const page = await gateway.journal.list(entriesQuery(request), reading);
      return {
        records: page.entries.map(toRecord),
        searchedTo: BigInt(page.searchedTo),
        isEnd: page.isEnd,
        newestSequence: BigInt(page.newestSequence),
      };
    },
    async *watchEntries(request, { signal }) {
      const asked = toSequence(request.afterSequence, 'after_sequence');
      const after = asked === 0 ? gateway.journal.tip().sequence : asked;
      yield create(EntryNoteSchema, { sequence: BigInt(after) });
      for await (const news of gateway.journal.watch(after, signal)) yield toNote(news);
    },
    async *exportJournal(request, { signal, values }) {
      const reading = { whose: callerIn(values).principal, signal };
      const lines = gateway.journal.exportLines(exportFilter(request), reading);
      // Where this waits for its caller to read, it is never taken up again once they are gone; what
      // the lines hold, they have to give back all the same.
      signal.addEventListener('abort', () => void lines.return(undefined), { once: true });
      for await (const line of lines) yield create(ExportLineSchema, { line });
    },
    async archiveJournal(request, { values }) {
      const before = toSequence(request.before, 'before');
      return await gateway.archiveJournal(before, callerIn(values));
    },
  };
}

function tailStart({ last, afterSequence }: TailJournalRequest): TailQuery['from'] {
  if (last === 0) return { after: toSequence(afterSequence, 'after_sequence') };
  return { last: toCount(last, { field: 'last', whenZero: 0, most: MOST_LAST }) };
}

const SEQUENCE_PATTERN = /^[1-9][0-9]{0,14}$/;

function entryName(text: string): string {
  if (parseId(text) !== undefined || SEQUENCE_PATTERN.test(text)) return text;
  throw new PalyraError('INVALID_INPUT', '`id` is neither an id nor a sequence number');
}

/** Contract: text that is empty sets no filter. */
function entriesQuery(request: ListEntriesRequest): EntriesQuery {
  const { beforeSequence, kinds, actor, text } = request;
  const runId = optionalId<'run'>(request.runId, 'run_id');
  const sessionId = optionalId<'session'>(request.sessionId, 'session_id');
  const since = optionalMoment(request.since, 'since');
  const until = optionalMoment(request.until, 'until');
  assertShort(actor, 'actor', MOST_ACTOR);
  assertShort(text, 'text', MOST_TEXT);
  return {
    limit: toCount(request.limit, LIST_BOUNDS),
    ...(beforeSequence === 0n ? {} : { before: toSequence(beforeSequence, 'before_sequence') }),
    ...(kinds.length === 0 ? {} : { kinds: knownKinds(kinds) }),
    ...(actor === '' ? {} : { actor }),
    ...(runId === undefined ? {} : { runId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(text === '' ? {} : { text }),
  };
}

/** A kind that there is not would find nothing, and look like an answer. */
function knownKinds(kinds: readonly string[]): readonly string[] {
  if (kinds.length > MOST_KINDS) {
    throw new PalyraError('INVALID_INPUT', `\`kinds\` has more than ${MOST_KINDS} of them`);
  }
  const known = Object.keys(JOURNAL_KINDS);
  for (const kind of kinds) {
    const fits = kind.endsWith('.')
      ? known.some((each) => each.startsWith(kind))
      : known.includes(kind);
    if (fits) continue;
    throw new PalyraError('INVALID_INPUT', `no entry is of the kind ${quote(kind)}`, {
      help: 'name a kind such as `tool.decided`, or how kinds begin, such as `tool.`',
    });
  }
  return kinds;
}

function assertShort(text: string, field: string, mostBytes: number): void {
  if (Buffer.byteLength(text) <= mostBytes) return;
  throw new PalyraError('INVALID_INPUT', `\`${field}\` is longer than ${mostBytes} bytes`);
}

function exportFilter(request: ExportJournalRequest): ExportFilter {
  const runId = optionalId<'run'>(request.runId, 'run_id');
  const from = toSequence(request.fromSequence, 'from_sequence');
  const to = toSequence(request.toSequence, 'to_sequence');
  if (from === 0 && to === 0) return runId === undefined ? {} : { runId };
  if (runId !== undefined) {
    throw new PalyraError('INVALID_INPUT', 'an export is of a run or of a range, not of both');
  }
  if (to !== 0 && to < from) {
    throw new PalyraError('INVALID_INPUT', '`to_sequence` comes before `from_sequence`');
  }
  const start = from === 0 ? {} : { from };
  return { range: to === 0 ? start : { ...start, to } };
}

function toNote(news: EntryNews): EntryNote {
  switch (news.kind) {
    case 'resync':
      return create(EntryNoteSchema, { sequence: BigInt(news.sequence), resync: true });
    case 'entry': {
      const { sequence, runId = '', sessionId = '', id, time, kind, actor } = news.note;
      const text = { id, time, kind, actor, runId, sessionId };
      return create(EntryNoteSchema, { ...text, sequence: BigInt(sequence) });
    }
  }
}

function toRecord({ canonical, hash }: Pick<SealedEntry, 'canonical' | 'hash'>): JournalRecord {
  return create(JournalRecordSchema, { canonical, hash });
}
