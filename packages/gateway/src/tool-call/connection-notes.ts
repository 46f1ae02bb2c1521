import type { EgressConnection } from '@palyra/protocol';
import type { ReachedHosts } from '../ports.ts';
import { Reach } from './reach.ts';

/** Connections of one call on their way into the journal, in the order in which they ended. */
export class ConnectionNotes {
  readonly #record: (connection: EgressConnection) => Promise<void>;
  readonly #reach = new Reach();
  #last: Promise<void> = Promise.resolve();

  constructor(record: (connection: EgressConnection) => Promise<void>) {
    this.#record = record;
  }

  add(connection: EgressConnection): void {
    this.#reach.add(connection);
    this.#last = this.#last.then(() => this.#record(connection));
    // Whoever waits for all of them hears of it; until then nobody does.
    this.#last.catch(() => {});
  }

  /** Contract: rejects with the first that could not be recorded; those after it are not. */
  async recorded(): Promise<void> {
    await this.#last;
  }

  /** Those that were let through. */
  get reached(): ReachedHosts {
    return this.#reach.reached;
  }
}
