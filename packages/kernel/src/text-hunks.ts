import { type DiffStep, lineDiff } from './line-diff.ts';

/** Lines around a change that stay as they are. */
const AROUND = 3;
const NO_NEWLINE = '\\ No newline at end of file';

/**
 * What differs between two texts, as the hunks of a unified diff; `show` makes each line fit to be seen.
 * Contract: empty where nothing differs. Lines are held against each other as they are, not as they are shown.
 */
export function textHunks(
  before: string,
  after: string,
  show: (line: string) => string,
): readonly string[] {
  const steps = lineDiff(linesOf(before), linesOf(after));
  const told = { old: 0, now: 0 };
  let seen = 0;
  return spansOf(steps).flatMap(({ from, to }) => {
    const skipped = countsOf(steps.slice(seen, from));
    const lines = steps.slice(from, to);
    const counts = countsOf(lines);
    const [old, now] = [told.old + skipped.old, told.now + skipped.now];
    told.old = old + counts.old;
    told.now = now + counts.now;
    seen = to;
    const place = `@@ -${range(old, counts.old)} +${range(now, counts.now)} @@`;
    return [place, ...lines.flatMap((step) => shown(step, show))];
  });
}

/** With their ends: to add the last one of a text is a change, too. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Changes that are near to each other stand in one hunk. */
function spansOf(steps: readonly DiffStep[]): readonly Span[] {
  const spans: Span[] = [];
  for (const [place, { sign }] of steps.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(0, place - AROUND);
    const to = Math.min(steps.length, place + AROUND + 1);
    const last = spans.at(-1);
    if (last !== undefined && from <= last.to) spans.splice(-1, 1, { from: last.from, to });
    else spans.push({ from, to });
  }
  return spans;
}

function countsOf(steps: readonly DiffStep[]) {
  return {
    old: steps.filter(({ sign }) => sign !== '+').length,
    now: steps.filter(({ sign }) => sign !== '-').length,
  };
}

function range(before: number, count: number): string {
  return `${count === 0 ? before : before + 1},${count}`;
}

function shown({ sign, line }: DiffStep, show: (line: string) => string): readonly string[] {
  const hasEnd = line.endsWith('\n');
  const text = `${sign}${show(hasEnd ? line.slice(0, -1) : line)}`;
  return hasEnd ? [text] : [text, NO_NEWLINE];
}
