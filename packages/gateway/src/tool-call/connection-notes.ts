import type { EgressConnection } from '@palyra/protocol';

/** Connections of one call on their way into the journal, in the order in which they ended. */
export class ConnectionNotes {
  readonly #record: (connection: EgressConnection) => Promise<void>;
  #last: Promise<void> = Promise.resolve();

  constructor(record: (connection: EgressConnection) => Promise<void>) {
    this.#record = record;
  }

  add(connection: EgressConnection): void {
    this.#last = this.#last.then(() => this.#record(connection));
    // Whoever waits for all of them hears of it; until then nobody does.
    this.#last.catch(() => {});
  }

  /** Contract: rejects with the first that could not be recorded; those after it are not. */
  async recorded(): Promise<void> {
    await this.#last;
  }
}
