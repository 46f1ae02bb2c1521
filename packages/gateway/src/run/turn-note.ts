import type { EntryDraft, SealedEntry } from '@palyra/kernel';
import type { JournalPort } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';

/**
 * What the model said in a turn with calls. It goes to the journal in one commit with the first of
 * them that is begun, and by itself when none is.
 * INVARIANT: no call of the turn is on record, and so none is judged or run, before what was said is.
 */
export class TurnNote implements AsyncDisposable {
  readonly #said: EntryDraft;
  readonly #journal: JournalPort;
  #first: Promise<readonly SealedEntry[]> | undefined;

  constructor(said: EntryDraft, journal: JournalPort) {
    this.#said = said;
    this.#journal = journal;
  }

  /** Contract: as of `record`; what was said comes with the first drafts, before them. */
  async record(drafts: readonly EntryDraft[]): Promise<readonly SealedEntry[]> {
    if (this.#first === undefined) {
      this.#first = record([this.#said, ...drafts], this.#journal);
      return await this.#first;
    }
    // Not at the same time: what was said may turn out not to be writable.
    await this.#first;
    return await record(drafts, this.#journal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#first === undefined) await this.record([]);
  }
}
