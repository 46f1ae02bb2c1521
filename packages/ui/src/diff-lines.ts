/** A line of a unified diff, by where it stands. */
export interface DiffLine {
  readonly is: 'header' | 'place' | 'added' | 'removed' | 'same';
  readonly text: string;
}

/**
 * The lines of a unified diff. A hunk says how many lines it has, so `++x`, added to a file, is an
 * added line and no header, however much `+++x` looks like one.
 */
export function diffLines(text: string): readonly DiffLine[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const left = { old: 0, new: 0 };
  return lines.map((line, index) => {
    if (left.old > 0 || left.new > 0) return inHunk(line, left);
    if (line.startsWith('@@')) {
      Object.assign(left, countsIn(line));
      return { is: 'place', text: line };
    }
    return { is: isHeader(lines, index) ? 'header' : signOf(line), text: line };
  });
}

interface Left {
  old: number;
  new: number;
}

function inHunk(text: string, left: Left): DiffLine {
  const is = signOf(text);
  // `\ No newline at end of file` is not counted.
  if (text.startsWith('\\')) return { is, text };
  if (is !== 'added') left.old -= 1;
  if (is !== 'removed') left.new -= 1;
  return { is, text };
}

function signOf(line: string): 'added' | 'removed' | 'same' {
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

const COUNTS = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Without counts all that follows is of the hunk: better a header too few than one too many. */
function countsIn(line: string): Left {
  const found = COUNTS.exec(line);
  if (found === null) return { old: Number.POSITIVE_INFINITY, new: Number.POSITIVE_INFINITY };
  const [, old = '1', now = '1'] = found;
  return { old: Number(old), new: Number(now) };
}

/** Contract: for a line outside of hunks. The names of a file come in pairs. */
function isHeader(lines: readonly string[], index: number): boolean {
  const [before = '', line = '', after = ''] = [index - 1, index, index + 1].map((at) => lines[at]);
  if (line.startsWith('--- ')) return after.startsWith('+++ ');
  if (line.startsWith('+++ ')) return before.startsWith('--- ');
  return /^(?:diff |index |rename |new file |deleted file |similarity )/.test(line);
}
