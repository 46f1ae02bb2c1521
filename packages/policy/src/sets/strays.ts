import type { Dirent } from 'node:fs';
import type { Complaint } from './problems.ts';

/** What of an entry decides whether it is a file of rules. */
export type FolderEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** Cases lie here. */
const CASES = 'tests';
/** Whoever keeps rules under version control has this beside them. */
const VERSIONS = '.git';
/** An editor leaves a link of this sort while somebody types: it leads nowhere, and goes away again. */
const EDITOR_LOCK = '.#';

export function isRuleName(name: string): boolean {
  return name.endsWith('.cedar') && !name.startsWith('.');
}

/**
 * Why something beside the files of rules must not be passed over: somebody may believe that it counts,
 * and a `forbid` that nobody reads forbids nothing. Contract: for names that `isRuleName` is not true of.
 */
export function strayComplaint(entry: FolderEntry): Complaint | undefined {
  const { name } = entry;
  if (entry.isSymbolicLink()) return name.startsWith(EDITOR_LOCK) ? undefined : LINK;
  if (entry.isDirectory()) return name === CASES || name === VERSIONS ? undefined : FOLDER;
  if (!entry.isFile()) return NOT_A_FILE;
  if (!name.toLowerCase().endsWith('.cedar')) return undefined;
  return name.startsWith('.') ? HIDDEN : CAPITALS;
}

const LINK: Complaint = {
  reason: 'it is a link, and links are not followed',
  help: 'put what it leads to there, or take it away',
};
const FOLDER: Complaint = {
  reason: 'it is a folder, and no rules are read from folders in here',
  help: `put its files one level up, or move it away; only \`${CASES}\`, for cases, may stay`,
};
const NOT_A_FILE: Complaint = {
  reason: 'it is neither a folder nor a plain file',
  help: 'keep nothing there but rules',
};
const HIDDEN: Complaint = {
  reason: 'it is hidden, and hidden files are not read',
  help: 'take the dot away at the start of its name; to keep it without effect, end its name otherwise than with `.cedar`',
};
const CAPITALS: Complaint = {
  reason: 'its name does not end with `.cedar` in small letters, so it is not read',
  help: 'rename it, so that it ends with `.cedar`',
};
