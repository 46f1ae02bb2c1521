import type { Bytes } from '@palyra/kernel';

/**
 * The input of one run on its way in, asked for piece by piece: whoever reads slowly is not sent more.
 * Contract: read once. It ends when it is disposed of.
 */
export class InputStream implements AsyncIterable<Bytes>, Disposable {
  readonly #ask: () => void;
  #wanted: PromiseWithResolvers<Bytes | undefined> | undefined;
  #isOver = false;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Contract: without bytes there are no more; what nobody asked for, or not any more, is dropped. */
  take(bytes: Bytes | undefined): void {
    this.#wanted?.resolve(bytes);
    this.#wanted = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Bytes> {
    while (!this.#isOver) {
      const wanted = Promise.withResolvers<Bytes | undefined>();
      this.#wanted = wanted;
      this.#ask();
      const bytes = await wanted.promise;
      if (bytes === undefined) return;
      yield bytes;
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.take(undefined);
  }
}
