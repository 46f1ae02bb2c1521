import type { Terminal } from '../terminal.ts';
import { Gutter } from './gutter.ts';

/** Of a tool's output so much is shown; the journal has the digest of all of it. */
const SHOWN_CHARACTERS = 4000;
const SHOWN_LINES = 40;

/** The beginning of what a tool wrote or a model thought, as it comes. */
export class ShownOutput {
  readonly #gutter: Gutter;
  #characters = SHOWN_CHARACTERS;
  #lines = SHOWN_LINES;
  #isCut = false;

  constructor(terminal: Terminal, indent: string) {
    this.#gutter = new Gutter(terminal, indent);
  }

  /** Something was left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  feed(text: string): void {
    const lines = text.slice(0, this.#characters).split('\n');
    const fitting = lines.slice(0, this.#lines).join('\n');
    const isAtEnd = lines.length > this.#lines;
    // The newline after the last line that fits has nothing behind it to show.
    if (fitting.length < text.trimEnd().length) this.#isCut = true;
    this.#characters = isAtEnd ? 0 : this.#characters - fitting.length;
    this.#lines = isAtEnd ? 0 : this.#lines - lines.length + 1;
    this.#gutter.feed(fitting);
  }

  close(): void {
    this.#gutter.close();
  }
}
