import { visibleText } from '@palyra/kernel';
import type { Terminal } from '../terminal.ts';
import { characterWidth, textWidth } from './text-width.ts';

/**
 * Shows text that we did not write behind a mark on every line, so that a model cannot draw lines
 * that look like ours. On a terminal it breaks lines itself: a line that the terminal wrapped
 * would start without the mark.
 */
export class Gutter {
  readonly #terminal: Terminal;
  readonly #mark: string;
  readonly #room: number;
  #column = 0;
  #isOpen = false;
  /** The word being spoken; on a terminal it waits for its end to know which line it goes on. */
  #word = '';

  constructor(terminal: Terminal, indent = '') {
    this.#terminal = terminal;
    this.#mark = `${indent}${terminal.paint('quiet', terminal.symbols.gutter)} `;
    const wraps = terminal.isInteractive;
    this.#room = wraps ? terminal.width - textWidth(indent) - 3 : Number.POSITIVE_INFINITY;
  }

  feed(text: string): void {
    const visible = visibleText(text).replaceAll('\t', '    ');
    if (this.#room === Number.POSITIVE_INFINITY) return this.#plain(visible);
    for (const character of visible) this.#take(character);
  }

  /** Ends the block; the next text starts on a line of its own. */
  close(): void {
    this.#flushWord();
    if (this.#isOpen) this.#terminal.write('\n');
    this.#isOpen = false;
    this.#column = 0;
  }

  #plain(text: string): void {
    for (const [place, line] of text.split('\n').entries()) {
      if (place > 0) this.#breakLine();
      if (line !== '') this.#put(line);
    }
  }

  #take(character: string): void {
    if (character === '\n') {
      this.#flushWord();
      this.#breakLine();
    } else if (character === ' ') {
      this.#flushWord();
      if (this.#column < this.#room) this.#put(' ');
    } else {
      this.#word += character;
      // A word as long as the line cannot move to a better one.
      if (textWidth(this.#word) >= this.#room) this.#flushWord();
    }
  }

  #flushWord(): void {
    const word = this.#word;
    this.#word = '';
    if (word === '') return;
    if (this.#column > 0 && this.#column + textWidth(word) > this.#room) this.#breakLine();
    for (const character of word) {
      if (this.#column + characterWidth(character) > this.#room) this.#breakLine();
      this.#put(character);
    }
  }

  #put(text: string): void {
    if (!this.#isOpen) this.#terminal.write(this.#mark);
    this.#isOpen = true;
    this.#terminal.write(text);
    this.#column += textWidth(text);
  }

  #breakLine(): void {
    this.#terminal.write(this.#isOpen ? '\n' : `${this.#mark}\n`);
    this.#isOpen = false;
    this.#column = 0;
  }
}
