import { basename } from 'node:path';
import { create, toJson } from '@bufbuild/protobuf';
import { PalyraError, isJsonObject } from '@palyra/kernel';
import { type JournalArchived, JournalArchivedSchema } from '@palyra/protocol';
import type { Caller } from './parts.ts';
import type { JournalPort } from './ports.ts';

/** Moves sealed segments to the archive and records who asked for it; 0 stands for every sealed one. */
export async function archiveJournal(
  journal: JournalPort,
  before: number,
  caller: Caller,
): Promise<JournalArchived> {
  const archived = await journal.archive(before === 0 ? journal.tip().sequence + 1 : before);
  const message = create(JournalArchivedSchema, {
    segments: archived.map(({ number, firstSequence, lastSequence, file }) => ({
      number: BigInt(number),
      firstSequence: BigInt(firstSequence),
      lastSequence: BigInt(lastSequence),
      file: basename(file),
    })),
  });
  if (archived.length === 0) return message;
  const payload = toJson(JournalArchivedSchema, message);
  if (!isJsonObject(payload)) throw new PalyraError('UNEXPECTED', 'a payload is not an object');
  await journal.append([{ kind: 'journal.archived', actor: caller.principal, payload }]);
  return message;
}
