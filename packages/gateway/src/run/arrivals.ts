/**
 * What comes from several sides, one after the other. `Promise.race` over the same promises again and
 * again would leave something behind at each that stays open. Bounded by those who add to it.
 */
export class Arrivals<Value> {
  readonly #come: Value[] = [];
  #wake: () => void = () => {};

  add(value: Value): void {
    this.#come.push(value);
    this.#wake();
  }

  /** Contract: one caller at a time. */
  async next(): Promise<Value> {
    for (;;) {
      const [value] = this.#come.splice(0, 1);
      if (value !== undefined) return value;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
