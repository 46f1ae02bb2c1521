import * as z from 'zod';

const KIB = 1024;
const MIB = 1024 * KIB;
/** No setting allows a larger entry. */
export const MAX_ENTRY_BYTES = 16 * MIB;

/** Section `journal` of palyra.toml. */
export const journalSection = z
  .object({
    segment_bytes: z
      .int()
      .min(4 * KIB)
      .max(16 * KIB * MIB)
      .default(256 * MIB)
      .describe('a segment is sealed, and can be archived, once its entries pass this many bytes'),
    entry_bytes: z
      .int()
      .min(4 * KIB)
      .max(MAX_ENTRY_BYTES)
      .default(4 * MIB)
      .describe('the largest entry that is taken; a larger one is refused'),
    batch_entries: z
      .int()
      .min(1)
      .max(4096)
      .default(128)
      .describe('entries that share one commit at most; more make the event loop wait longer'),
    batch_bytes: z
      .int()
      .min(4 * KIB)
      .max(64 * MIB)
      .default(MIB)
      .describe('bytes that share one commit at most'),
    queue_entries: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(8192)
      .describe('entries that may wait for a commit; beyond it an append is refused'),
    queue_bytes: z
      .int()
      .min(64 * KIB)
      .max(KIB * MIB)
      .default(64 * MIB)
      .describe('bytes that may wait for a commit; beyond it an append is refused'),
  })
  .strict()
  .describe('the record of everything that was decided and done');

export type JournalSettings = z.infer<typeof journalSection>;
