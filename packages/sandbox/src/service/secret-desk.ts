import { PalyraError } from '@palyra/kernel';
import type { SecretPort } from './sandboxes.ts';

/** Questions that may be open at once; each connection that needs a secret has one. */
const MAX_OPEN = 1024;

/** Asks the daemon for secrets, one by one and at the moment of use; keeps none. */
export class SecretDesk implements SecretPort {
  readonly #ask: (id: number, name: string) => void;
  readonly #open = new Map<number, PromiseWithResolvers<string>>();
  #lastId = 0;
  #isClosed = false;

  constructor(ask: (id: number, name: string) => void) {
    this.#ask = ask;
  }

  async reveal(name: string): Promise<string> {
    if (this.#isClosed || this.#open.size >= MAX_OPEN) throw refused();
    this.#lastId += 1;
    const answer = Promise.withResolvers<string>();
    this.#open.set(this.#lastId, answer);
    this.#ask(this.#lastId, name);
    return await answer.promise;
  }

  /** Contract: false for an answer to nothing. */
  take(id: number, value: string | undefined): boolean {
    const answer = this.#open.get(id);
    this.#open.delete(id);
    if (value === undefined) answer?.reject(refused());
    else answer?.resolve(value);
    return answer !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#open.keys()) this.take(id, undefined);
  }
}

function refused(): PalyraError {
  return new PalyraError('PERMISSION_DENIED', 'the secret is not given to this sandbox');
}
