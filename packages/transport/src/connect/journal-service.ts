import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { Gateway, TailQuery } from '@palyra/gateway';
import { PalyraError, type SealedEntry, parseId } from '@palyra/kernel';
import {
  ExportLineSchema,
  type JournalRecord,
  JournalRecordSchema,
  type JournalService,
  type TailJournalRequest,
} from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { optionalId, toCount, toSequence } from './wire-words.ts';

const MOST_LAST = 10_000;

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
    async *exportJournal(request, { signal }) {
      const runId = optionalId<'run'>(request.runId, 'run_id');
      const filter = runId === undefined ? {} : { runId };
      for await (const line of gateway.journal.exportLines(filter)) {
        signal.throwIfAborted();
        yield create(ExportLineSchema, { line });
      }
    },
    async archiveJournal(request, { values }) {
      const before = toSequence(request.before, 'before');
      const { segments } = await gateway.archiveJournal(before, callerIn(values));
      return { segments };
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

function toRecord(entry: SealedEntry): JournalRecord {
  return create(JournalRecordSchema, { canonical: entry.canonical, hash: entry.hash });
}
