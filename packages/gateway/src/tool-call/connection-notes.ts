import type { EgressConnection } from '@palyra/protocol';
import type { ReachedHosts } from '../ports.ts';

const MOST_HOSTS = 64;

/** Connections of one call on their way into the journal, in the order in which they ended. */
export class ConnectionNotes {
  readonly #record: (connection: EgressConnection) => Promise<void>;
  readonly #hosts = new Set<string>();
  #isCut = false;
  #last: Promise<void> = Promise.resolve();

  constructor(record: (connection: EgressConnection) => Promise<void>) {
    this.#record = record;
  }

  add(connection: EgressConnection): void {
    if (connection.decision === 'allowed') this.#reach(`${connection.host}:${connection.port}`);
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
    return { hosts: [...this.#hosts].toSorted(), isCut: this.#isCut };
  }

  #reach(host: string): void {
    if (this.#hosts.size < MOST_HOSTS || this.#hosts.has(host)) this.#hosts.add(host);
    else this.#isCut = true;
  }
}
