import { type Reading, read, unreadable } from '../canonical/reading.ts';
import { type Hunk, sideOf } from './hunks.ts';

/**
 * Letter by letter and at the stated line: a patch that almost fits is one for another file.
 * Contract: never throws.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): Reading<string> {
  const lines = splitLines(text);
  const result: string[] = [];
  let at = 0;
  for (const [place, hunk] of hunks.entries()) {
    const old = sideOf(hunk, 'removed');
    const misfit = misfitOf(lines, old, hunk.oldIndex);
    if (misfit !== undefined) return unreadable(`does not fit: hunk ${place + 1} ${misfit}`, HELP);
    for (; at < hunk.oldIndex; at += 1) result.push(lines[at] ?? '');
    for (const line of sideOf(hunk, 'added')) result.push(line);
    at += old.length;
  }
  for (; at < lines.length; at += 1) result.push(lines[at] ?? '');
  const open = result.findIndex((line) => !line.endsWith('\n'));
  if (open === -1 || open === result.length - 1) return read(result.join(''));
  return unreadable(`does not fit: line ${open + 1} would have no end`, NO_END_HELP);
}

const HELP = 'read the file again and write the patch anew';
const NO_END_HELP = 'put `\\ No newline at end of file` after the last line of the file alone';

/** Line ends stay with their lines. */
function splitLines(text: string): readonly string[] {
  const parts = text.split('\n');
  const last = parts.pop() ?? '';
  const lines = parts.map((part) => `${part}\n`);
  return last === '' ? lines : [...lines, last];
}

function misfitOf(
  lines: readonly string[],
  old: readonly string[],
  index: number,
): string | undefined {
  if (index + old.length > lines.length) {
    return `reaches past the end, which is at line ${lines.length}`;
  }
  const wrong = old.findIndex((line, offset) => lines[index + offset] !== line);
  if (wrong === -1) return undefined;
  const is = `expects another line ${index + wrong + 1}`;
  const [found = '', wanted = ''] = [lines[index + wrong], old[wrong]];
  if (bare(found) === bare(wanted)) return `${is}: only its line end differs`;
  const elsewhere = placeOf(lines, old);
  return elsewhere === undefined ? is : `${is}; its lines start at line ${elsewhere + 1}`;
}

function bare(line: string): string {
  return line.replace(/\r?\n$/u, '');
}

/** Where a model that only miscounted finds its lines. */
function placeOf(lines: readonly string[], old: readonly string[]): number | undefined {
  const place = lines.findIndex((_, index) =>
    old.every((line, offset) => lines[index + offset] === line),
  );
  return place === -1 ? undefined : place;
}
