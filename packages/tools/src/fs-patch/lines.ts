/** Lines of a text, one after another. A newline at the end starts no line of its own. */
export class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    const lines = text.split('\n');
    this.#lines = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }

  /** Of the next line, from 1. */
  get number(): number {
    return this.#at + 1;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  peek(): string | undefined {
    return this.#lines[this.#at];
  }

  next(): string | undefined {
    const line = this.peek();
    this.#at += 1;
    return line;
  }

  skipEmpty(): void {
    while (this.peek() === '') this.#at += 1;
  }
}
