import type { EntryDraft, SealedEntry } from '@palyra/kernel';
import type { JournalPort } from '../ports.ts';

/** Contract: resolves when the entries are durable; a journal that cannot promise that throws. */
export async function record(
  drafts: readonly EntryDraft[],
  journal: JournalPort,
): Promise<readonly SealedEntry[]> {
  return await journal.append(drafts);
}
