/** Questions to the daemon that may be open at once; each connection has one at a time. */
const MAX_OPEN = 1024;

/** Asks the daemon, and keeps nothing of what it says. */
export class Questions<Asked, Answer> {
  readonly #ask: (id: number, asked: Asked) => void;
  readonly #open = new Map<number, PromiseWithResolvers<Answer | undefined>>();
  #lastId = 0;
  #isClosed = false;

  constructor(ask: (id: number, asked: Asked) => void) {
    this.#ask = ask;
  }

  /** Contract: `undefined` when there is no answer, or too much is asked. */
  async ask(asked: Asked): Promise<Answer | undefined> {
    if (this.#isClosed || this.#open.size >= MAX_OPEN) return undefined;
    this.#lastId += 1;
    const answer = Promise.withResolvers<Answer | undefined>();
    this.#open.set(this.#lastId, answer);
    this.#ask(this.#lastId, asked);
    return await answer.promise;
  }

  /** Contract: false for an answer to nothing. */
  take(id: number, answer: Answer | undefined): boolean {
    const asked = this.#open.get(id);
    this.#open.delete(id);
    asked?.resolve(answer);
    return asked !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#open.keys()) this.take(id, undefined);
  }
}
