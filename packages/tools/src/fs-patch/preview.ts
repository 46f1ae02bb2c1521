import { visibleText } from '@palyra/kernel';
import type { JsonObject } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { readArguments } from '../workspace/read-arguments.ts';
import { type Hunk, type HunkLine, sideOf } from './hunks.ts';
import { fsPatchArguments } from './manifest.ts';
import { planPatch } from './plan.ts';
import type { FilePatch } from './unified-diff.ts';

/** What an approver is shown. */
export interface PatchPreview {
  readonly files: readonly PreviewedFile[];
  /** Made of what was understood, not of what was written; each character visible. */
  readonly diff: string;
}

export interface PreviewedFile {
  readonly kind: FilePatch['kind'];
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Contract: throws a PalyraError for a patch that would be refused now; changes nothing. */
export function previewPatch(args: JsonObject, hands: ToolHands): PatchPreview {
  const { patch } = readArguments(fsPatchArguments(), args);
  const { files } = planPatch(patch, hands);
  return {
    files: files.map(summaryOf),
    diff: diffOf(files),
  };
}

/** Each character of it visible. */
export function diffOf(files: readonly FilePatch[]): string {
  return files.flatMap(linesOf).join('\n');
}

export function summaryOf({ kind, path, hunks }: FilePatch): PreviewedFile {
  return { kind, path, added: countOf(hunks, 'added'), removed: countOf(hunks, 'removed') };
}

function countOf(hunks: readonly Hunk[], kind: HunkLine['kind']): number {
  return hunks.reduce(
    (count, { lines }) => count + lines.filter((line) => line.kind === kind).length,
    0,
  );
}

function linesOf(file: FilePatch): readonly string[] {
  const from = file.kind === 'rename' ? file.from : file.path;
  const renamed = file.kind === 'rename' ? [`rename from ${from}`, `rename to ${file.path}`] : [];
  if (file.hunks.length === 0 && file.kind === 'rename') return renamed;
  return [
    ...renamed,
    `--- ${file.kind === 'create' ? '/dev/null' : `a/${from}`}`,
    `+++ ${file.kind === 'delete' ? '/dev/null' : `b/${file.path}`}`,
    ...file.hunks.flatMap(hunkLines),
  ];
}

function hunkLines(hunk: Hunk): readonly string[] {
  const old = rangeOf(hunk.oldIndex, sideOf(hunk, 'removed').length);
  const after = rangeOf(hunk.newIndex, sideOf(hunk, 'added').length);
  return [`@@ -${old} +${after} @@`, ...hunk.lines.flatMap(shown)];
}

function rangeOf(index: number, count: number): string {
  return `${count === 0 ? index : index + 1},${count}`;
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

function shown({ kind, text }: HunkLine): readonly string[] {
  const hasEnd = text.endsWith('\n');
  const line = `${SIGNS[kind]}${visibleText(hasEnd ? text.slice(0, -1) : text)}`;
  return hasEnd ? [line] : [line, '\\ No newline at end of file'];
}
