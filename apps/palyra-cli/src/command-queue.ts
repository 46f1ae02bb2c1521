import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RunCommandSchema } from '@palyra/protocol';

type Command = MessageInitShape<typeof RunCommandSchema>;

/** What we say on a run's stream: the opening, then what comes to mind, until it is closed. */
export class CommandQueue implements AsyncIterable<Command> {
  readonly #waiting: Command[] = [];
  #wake: () => void = () => {};
  #isTaken = false;
  #isClosed = false;

  constructor(opening: Command) {
    this.#waiting.push(opening);
  }

  /** At most a handful: a person presses Ctrl-C, nothing else speaks here. */
  push(command: Command): void {
    this.#waiting.push(command);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Takes everything back if nothing was said yet, and says whether it could. */
  withdraw(): boolean {
    if (this.#isTaken) return false;
    this.#waiting.length = 0;
    this.close();
    return true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Command> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#isTaken = true;
        yield next;
      } else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => void (this.#wake = resolve));
    }
  }
}
