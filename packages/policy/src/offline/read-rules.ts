import { type Dirent, closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyFile, Problem } from '../model.ts';
import { problemOf } from '../sets/problems.ts';
import { MAX_FILES, MAX_PROBLEMS } from '../sets/limits.ts';
import { type FileText, openFile, readText } from '../sets/safe-read.ts';
import { isRuleName, strayComplaint } from '../sets/strays.ts';

export type DraftLayer = 'operator' | 'workspace';

export interface Draft {
  readonly files: readonly PolicyFile[];
  readonly problems: readonly Problem[];
}

/** Files of rules wherever a person keeps them: each named, or all `*.cedar` of a folder. */
export function readDraft(paths: readonly string[], layer: DraftLayer): Draft {
  const found = paths.flatMap((path) => filesAt(path, '.cedar') ?? [path]);
  const files: PolicyFile[] = [];
  const problems: Problem[] = [];
  for (const name of found.slice(0, MAX_FILES)) {
    const read = textAt(name);
    if (read.kind === 'text') files.push({ layer, name, text: read.text });
    else problems.push(problemOf({ layer, name }, read.complaint));
  }
  const [tooMany] = found.slice(MAX_FILES);
  if (tooMany !== undefined) problems.push(problemOf({ layer, name: tooMany }, TOO_MANY));
  return { files, problems: [...problems, ...paths.flatMap((path) => straysAt(path, layer))] };
}

/** What would be told of the folder if it were the one of its layer. */
function straysAt(path: string, layer: DraftLayer): readonly Problem[] {
  return (entriesAt(path) ?? [])
    .filter(({ name }) => !isRuleName(name))
    .flatMap((entry) => {
      const complaint = strayComplaint(entry);
      const name = join(path, entry.name);
      return complaint === undefined ? [] : [problemOf({ layer, name }, complaint)];
    })
    .slice(0, MAX_PROBLEMS);
}

/** Contract: `undefined` for what is not a folder. */
export function filesAt(path: string, suffix: string): readonly string[] | undefined {
  const names = entriesAt(path)?.map(({ name }) => name);
  const wanted = names?.filter((name) => name.endsWith(suffix) && !name.startsWith('.'));
  return wanted?.toSorted().map((name) => join(path, name));
}

function entriesAt(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // What is wrong with it is told by whoever opens it as a file.
    return undefined;
  }
}

/** Anybody's: looking at a draft puts nothing in force. */
export function textAt(path: string): FileText {
  const opened = openFile(path, 'workspace');
  switch (opened.kind) {
    case 'missing':
      return { kind: 'refused', complaint: MISSING };
    case 'refused':
      return opened;
    case 'opened':
      try {
        return readText(opened.handle);
      } finally {
        closeSync(opened.handle);
      }
  }
}

const MISSING = {
  reason: 'there is no such file',
  help: 'name a file of rules, or a folder of them',
};
const TOO_MANY = {
  reason: `more than ${MAX_FILES} files are named`,
  help: 'put several rules into one file',
};
