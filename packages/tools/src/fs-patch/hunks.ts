import { type Reading, type Unreadable, read, unreadable } from '../canonical/reading.ts';
import type { Lines } from './lines.ts';

/** Lines with their line ends: a last line without one differs from the same line with it. */
export interface Hunk {
  /** Index of the first old line; for none, of the line before which the new ones go. */
  readonly oldIndex: number;
  readonly newIndex: number;
  readonly lines: readonly HunkLine[];
}

export interface HunkLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

const HEADER = /^@@ -(\d{1,7})(?:,(\d{1,7}))? \+(\d{1,7})(?:,(\d{1,7}))? @@(?: .*)?$/;
const FORM = 'write `@@ -START,COUNT +START,COUNT @@`';

/** Contract: reads all hunks that follow; those of one file are in order and do not overlap. */
export function readHunks(lines: Lines): Reading<readonly Hunk[]> {
  const hunks: Hunk[] = [];
  let oldEnd = 0;
  let newEnd = 0;
  while (lines.peek()?.startsWith('@@') === true) {
    const start = lines.number;
    const hunk = readHunk(lines);
    if (hunk.kind === 'unreadable') return hunk;
    const { oldIndex, newIndex } = hunk.value;
    if (oldIndex < oldEnd) {
      return at(start, 'overlaps the hunk before it, or comes before it', 'put them in order');
    }
    if (newIndex - newEnd !== oldIndex - oldEnd) {
      return at(start, 'starts at a line that does not follow from the hunks before it', FORM);
    }
    oldEnd = oldIndex + linesIn(hunk.value, 'removed');
    newEnd = newIndex + linesIn(hunk.value, 'added');
    hunks.push(hunk.value);
  }
  return read(hunks);
}

/** Those of one side: what stays is on both. */
export function sideOf(hunk: Hunk, side: 'removed' | 'added'): readonly string[] {
  return hunk.lines.filter(({ kind }) => kind === 'same' || kind === side).map(({ text }) => text);
}

function linesIn(hunk: Hunk, side: 'removed' | 'added'): number {
  return sideOf(hunk, side).length;
}

function readHunk(lines: Lines): Reading<Hunk> {
  const start = lines.number;
  const header = HEADER.exec(lines.next() ?? '');
  if (header === null) return at(start, 'has a malformed header', FORM);
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] = header;
  const old = { start: Number(oldStart), count: Number(oldCount) };
  const after = { start: Number(newStart), count: Number(newCount) };
  const hunk = {
    oldIndex: indexOf(old),
    newIndex: indexOf(after),
  };
  if (hunk.oldIndex < 0 || hunk.newIndex < 0) return at(start, 'starts at line 0', FORM);
  const body = readBody(lines, { old: old.count, after: after.count, start });
  if (body.kind === 'unreadable') return body;
  if (body.value.some(({ kind }) => kind !== 'same')) return read({ ...hunk, lines: body.value });
  return at(start, 'changes nothing', 'leave it out');
}

/** A range without lines names the line before it. */
function indexOf({ start, count }: { start: number; count: number }): number {
  return count === 0 ? start : start - 1;
}

interface Counts {
  readonly old: number;
  readonly after: number;
  readonly start: number;
}

function readBody(lines: Lines, counts: Counts): Reading<HunkLine[]> {
  const body: HunkLine[] = [];
  let { old, after } = counts;
  while (old > 0 || after > 0) {
    const { number } = lines;
    const line = readLine(lines);
    if (line === undefined) {
      return at(number, 'ends before the lines that it announced', 'correct the counts after `@@`');
    }
    if (line.kind !== 'added') old -= 1;
    if (line.kind !== 'removed') after -= 1;
    if (old < 0 || after < 0) {
      return at(number, 'has other lines than it announced', 'correct the counts after `@@`');
    }
    body.push(line);
  }
  if (!BODY.test(lines.peek() ?? '')) return read(body);
  return at(lines.number, 'has more lines than it announced', 'correct the counts after `@@`');
}

/** What starts so after the last announced line belongs to no header. */
const BODY = /^(?: |\+(?!\+\+ )|-(?!-- )|\\)/;

function readLine(lines: Lines): HunkLine | undefined {
  const line = lines.peek();
  if (line === undefined) return undefined;
  // Many editors cut the space of an empty line that stays.
  const kind = line === '' ? 'same' : KINDS[line.charAt(0)];
  if (kind === undefined) return undefined;
  lines.next();
  const hasNoEnd = lines.peek()?.startsWith('\\ ') === true;
  if (hasNoEnd) lines.next();
  return { kind, text: hasNoEnd ? line.slice(1) : `${line.slice(1)}\n` };
}

const KINDS: Readonly<Record<string, HunkLine['kind']>> = {
  ' ': 'same',
  '+': 'added',
  '-': 'removed',
};

function at(line: number, why: string, help: string): Unreadable {
  return unreadable(`has a hunk that ${why}, at line ${line} of the patch`, help);
}
