import type { Terminal } from '../terminal.ts';
import { characterWidth, cut, padEnd, textWidth } from './text-width.ts';

export type Field = readonly [label: string, value: string];

/** Labels in one column, values in the next; a long value goes on below itself. */
export function printFields(
  terminal: Terminal,
  fields: readonly Field[],
  breakLines: typeof wrap = wrap,
): void {
  const column = Math.max(...fields.map(([label]) => textWidth(label))) + 2;
  for (const [label, value] of fields) {
    const lines = breakLines(value, Math.max(terminal.width - column - 2, 20));
    for (const [place, line] of lines.entries()) {
      const head =
        place === 0 ? terminal.paint('quiet', padEnd(label, column)) : ' '.repeat(column);
      terminal.print(`  ${head}${line}`);
    }
  }
}

/** Rows under a quiet heading. The last column takes what room is left and is cut to it. */
export function printTable(
  terminal: Terminal,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = heading.map((title, column) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join('  ');
    return terminal.isInteractive ? cut(padded.trimEnd(), terminal.width) : padded.trimEnd();
  };
  terminal.print(terminal.paint('quiet', line(heading)));
  for (const row of rows) terminal.print(line(row));
}

/** Breaks at spaces; a word that is longer than a line stays whole, so that it can be copied. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer) <= width || line === '') {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/**
 * The same for text that a model wrote, where a person decides by what they see: a terminal would
 * break a long word itself and begin the next line where our own words stand.
 */
export function foldFor({ isInteractive }: Terminal): typeof wrap {
  if (!isInteractive) return wrap;
  return (text, width) => wrap(text, width).flatMap((line) => pieces(line, width));
}

function pieces(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let [piece, room] = ['', width];
  for (const character of line) {
    const columns = characterWidth(character);
    if (columns > room) {
      lines.push(piece);
      [piece, room] = ['', width];
    }
    piece += character;
    room -= columns;
  }
  return [...lines, piece];
}
