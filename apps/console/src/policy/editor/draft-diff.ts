import { textHunks } from '@palyra/kernel';
import type { Draft, DraftFile } from './draft.ts';

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
  return [
    `--- ${before?.name ?? '/dev/null'}`,
    `+++ ${after?.name ?? '/dev/null'}`,
    ...textHunks(before?.text ?? '', after?.text ?? '', (line) => line),
    '',
  ].join('\n');
}
