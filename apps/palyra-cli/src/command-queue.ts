import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RunCommandSchema } from '@palyra/protocol';

type Command = MessageInitShape<typeof RunCommandSchema>;

/** What we say on a run's stream: the opening, then what comes to mind, until it is closed. */
export class CommandQueue implements AsyncIterable<Command> {
  readonly #waiting: Command[] = [];
  #wake: () => void = () => {};
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

  async *[Symbol.asyncIterator](): AsyncGenerator<Command> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => void (this.#wake = resolve));
    }
  }
}
