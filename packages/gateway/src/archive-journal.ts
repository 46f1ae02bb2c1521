import { basename } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type ArchiveJournalResponse, ArchiveJournalResponseSchema } from '@palyra/protocol';
import type { Actor } from './identity/caller.ts';
import type { JournalPort } from './ports.ts';

/** Moves sealed segments to the archive, on record with who asked for it; 0 stands for every one. */
export async function archiveJournal(
  journal: JournalPort,
  before: number,
  actor: Actor,
): Promise<ArchiveJournalResponse> {
  const end = before === 0 ? journal.tip().sequence + 1 : before;
  const { segments, heldBy } = await journal.archive(end, actor.actor);
  return create(ArchiveJournalResponseSchema, {
    ...(heldBy === undefined ? {} : { heldBy }),
    segments: segments.map(({ number, firstSequence, lastSequence, file }) => ({
      number: BigInt(number),
      firstSequence: BigInt(firstSequence),
      lastSequence: BigInt(lastSequence),
      file: basename(file),
    })),
  });
}
