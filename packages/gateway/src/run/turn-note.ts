import type { EntryDraft, SealedEntry } from '@palyra/kernel';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import type { ToolCallContext } from '../tool-call/tool-call.ts';

/**
 * What the model said in a turn with calls. It goes to the journal in one commit with the first of
 * them that is begun, and by itself when none is.
 * INVARIANT: no call of the turn is on record, and so none is judged or run, before what was said is.
 */
export class TurnNote implements AsyncDisposable {
  readonly #said: EntryDraft;
  readonly #context: Pick<ToolCallContext, 'parts' | 'stream'>;
  #first: Promise<readonly SealedEntry[]> | undefined;

  constructor(said: EntryDraft, context: Pick<ToolCallContext, 'parts' | 'stream'>) {
    this.#said = said;
    this.#context = context;
  }

  /** Contract: as of `record`; what was said comes with the first drafts, before them. */
  async record(drafts: readonly EntryDraft[]): Promise<readonly SealedEntry[]> {
    const { journal } = this.#context.parts;
    if (this.#first === undefined) {
      this.#first = record([this.#said, ...drafts], journal);
      return await this.#first;
    }
    // Not at the same time: what was said may turn out not to be writable.
    await this.#first;
    return await record(drafts, journal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#first === undefined) publish(await this.record([]), this.#context.stream);
  }
}
