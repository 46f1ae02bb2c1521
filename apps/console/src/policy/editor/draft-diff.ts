import type { Draft, DraftFile } from './draft.ts';
import { type DiffStep, lineDiff } from './line-diff.ts';

/** Lines around a change that stay as they are. */
const AROUND = 3;

/** What a draft would change in the files in force, as a unified diff. Contract: empty where nothing. */
export function draftDiff(inForce: Draft, draft: Draft): string {
  const names = new Set([...inForce, ...draft].map(({ name }) => name));
  return Array.from(names, (name) => fileDiff(named(inForce, name), named(draft, name))).join('');
}

function named(files: Draft, name: string): DraftFile | undefined {
  return files.find((file) => file.name === name);
}

function fileDiff(before: DraftFile | undefined, after: DraftFile | undefined): string {
  if (before?.text === after?.text) return '';
  const steps = lineDiff(linesOf(before?.text), linesOf(after?.text));
  const hunks = hunksOf(steps).flatMap(({ from, to }) => hunk(steps, from, to));
  return [
    `--- ${before?.name ?? '/dev/null'}`,
    `+++ ${after?.name ?? '/dev/null'}`,
    ...hunks,
    '',
  ].join('\n');
}

const NO_NEWLINE = '\\ No newline at end of file';

/** The last one tells whether it ends with a newline: to add one is a change, too. */
function linesOf(text = ''): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n${NO_NEWLINE}`];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Changes that are near to each other stand in one hunk. */
function hunksOf(steps: readonly DiffStep[]): readonly Span[] {
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

function hunk(steps: readonly DiffStep[], from: number, to: number): readonly string[] {
  const before = steps.slice(0, from);
  const shown = steps.slice(from, to);
  const range = (other: '-' | '+') => {
    const count = shown.filter(({ sign }) => sign !== other).length;
    const first = before.filter(({ sign }) => sign !== other).length + (count === 0 ? 0 : 1);
    return `${first},${count}`;
  };
  return [
    `@@ -${range('+')} +${range('-')} @@`,
    ...shown.map(({ sign, line }) => `${sign}${line}`),
  ];
}
