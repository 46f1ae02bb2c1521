import {
  type EntryDraft,
  PalyraError,
  PLACE_BYTES,
  type PreparedEntry,
  prepareEntry,
} from '@palyra/kernel';
import { checkRunPayload } from './run-projection.ts';
import type { PreparedWrite } from './record-writes.ts';

/** What one caller wants written, ready to be placed: all of it or nothing. */
export interface Change {
  readonly entries: readonly PreparedEntry[];
  readonly writes: readonly PreparedWrite[];
  /** INVARIANT: at least what it takes in the store. */
  readonly limitBytes: number;
}

/** One call appends at most so many; a bound, not a tuning knob. */
export const MAX_DRAFTS = 1024;

/** Contract: throws INVALID_INPUT for what could not be written, before anything is queued. */
export function prepareDrafts(
  drafts: readonly EntryDraft[],
  limitBytes: number,
): readonly PreparedEntry[] {
  if (drafts.length > MAX_DRAFTS) {
    throw new PalyraError('INVALID_INPUT', `more than ${MAX_DRAFTS} entries in one append`);
  }
  return drafts.map((draft) => {
    // Only a change of records writes these; otherwise somebody could make a false record look true.
    if (draft.kind === 'records.changed') throw notYours(draft);
    return prepareDraft(draft, limitBytes);
  });
}

/** Contract: as of `prepareDrafts`. */
export function prepareDraft(draft: EntryDraft, limitBytes: number): PreparedEntry {
  const prepared = checked(draft);
  if (prepared.limitBytes <= limitBytes) return prepared;
  const bytes = Buffer.byteLength(prepared.actor) + Buffer.byteLength(prepared.payload);
  if (bytes + PLACE_BYTES <= limitBytes) return prepared;
  throw new PalyraError('INVALID_INPUT', `an entry of ${bytes} bytes is too large for the journal`);
}

export function bytesOf(entries: readonly PreparedEntry[]): number {
  let bytes = 0;
  for (const entry of entries) bytes += entry.limitBytes;
  return bytes;
}

function checked(draft: EntryDraft): PreparedEntry {
  try {
    checkRunPayload(draft.kind, draft.payload);
    return prepareEntry(draft);
  } catch (error) {
    const message = `the payload of \`${draft.kind}\` cannot be written`;
    throw new PalyraError('INVALID_INPUT', message, { cause: error });
  }
}

function notYours({ kind }: EntryDraft): PalyraError {
  return new PalyraError('INVALID_INPUT', `an entry of kind \`${kind}\` is the journal's own`);
}
