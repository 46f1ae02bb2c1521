import { PalyraError, isErrorCode } from '@palyra/kernel';

/** A daemon that cannot start says why in its last lines; no more of them are looked at. */
const MAX_LINES = 50;

/** Remembers the end of what a daemon writes, to find in it why that daemon could not start. */
export class LastLines {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** Contract: `undefined` when it did not say; the form is that of `palyrad`'s own failures. */
  failure(): PalyraError | undefined {
    for (const [place, line] of this.#lines.entries()) {
      const said = /^palyrad: ([A-Z_]+): (.*)$/.exec(line);
      const [, code = '', message = ''] = said ?? [];
      if (!isErrorCode(code)) continue;
      const help = /^ {2}try: (.+)$/.exec(this.#lines[place + 1] ?? '')?.[1];
      return new PalyraError(code, message, help === undefined ? {} : { help });
    }
    return undefined;
  }
}
