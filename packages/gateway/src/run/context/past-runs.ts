import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunId, SealedEntry } from '@palyra/kernel';
import type { JournalPort } from '../../ports.ts';
import { entriesOfRun } from '../watch.ts';
import { type PastRun, pastRunOf } from './past-run.ts';

/** Of the entries that what is kept was worked out from: some hundred runs of everyday work. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

interface KeptRun {
  readonly reading: Promise<PastRun>;
  /** 0 until it has been read. */
  bytes: number;
}

/**
 * Earlier runs, as their entries tell them. A session that goes on asks for the same ones with each
 * run, and they are not gone through again for each.
 * INVARIANT: what is kept is what the journal would tell now. Whatever is written of a run, when it is
 * resumed or undone, makes it be read again, and what is archived all of them.
 */
export class PastRuns {
  readonly #journal: JournalPort;
  /** The one that was asked for last comes last. */
  readonly #kept = new Map<RunId, KeptRun>();
  #bytes = 0;

  constructor(journal: JournalPort) {
    this.#journal = journal;
    journal.subscribe((entries) => this.#hear(entries));
  }

  async read(runId: RunId): Promise<PastRun> {
    const known = this.#kept.get(runId);
    const kept = known ?? { reading: this.#readNow(runId), bytes: 0 };
    this.#kept.delete(runId);
    // Before it has been read: whatever is written meanwhile is heard of.
    this.#kept.set(runId, kept);
    try {
      const past = await kept.reading;
      if (known === undefined) this.#weigh(runId, kept, past.bytes);
      return past;
    } catch (reason) {
      if (this.#kept.get(runId) === kept) this.#forget(runId);
      throw reason;
    }
  }

  /**
   * Reads a run before somebody asks for it, as soon as everybody has heard of its end. Contract: never
   * rejects; what cannot be read now is told whoever asks.
   */
  async readAhead(runId: RunId): Promise<void> {
    await nextTurn();
    await this.read(runId).catch(() => undefined);
  }

  async #readNow(runId: RunId): Promise<PastRun> {
    return pastRunOf(await Array.fromAsync(entriesOfRun(runId, 0, this.#journal)));
  }

  #weigh(runId: RunId, kept: KeptRun, bytes: number): void {
    if (this.#kept.get(runId) !== kept) return;
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_KEPT_BYTES) return;
      this.#forget(oldest);
    }
  }

  #hear(entries: readonly SealedEntry[]): void {
    for (const { runId, kind } of entries) {
      if (runId !== undefined) this.#forget(runId);
      if (kind !== 'journal.archived') continue;
      this.#kept.clear();
      this.#bytes = 0;
    }
  }

  #forget(runId: RunId): void {
    this.#bytes -= this.#kept.get(runId)?.bytes ?? 0;
    this.#kept.delete(runId);
  }
}
