import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a guard may look at: files by their path from the root, with forward slashes.
 * INVARIANT: `paths` is sorted, so findings come in the same order on every machine.
 */
export interface Tree {
  readonly paths: readonly string[];
  /** Contract: throws for a path that is not in `paths`. */
  read(path: string): string;
}

/** Something a guard objects to. No findings is the only way to pass. */
export interface Finding {
  readonly path: string;
  readonly says: string;
}

const LEFT_OUT = new Set(['.cache', '.git', 'dist', 'node_modules']);

export function treeAt(root: string): Tree {
  return treeOf(walk(root, ''), (path) => readFileSync(join(root, path), 'utf8'));
}

/** A tree that exists only in memory, for trying a guard on something small. */
export function treeFrom(files: Readonly<Record<string, string>>): Tree {
  return treeOf(Object.keys(files), (path) => files[path] ?? '');
}

function treeOf(paths: readonly string[], load: (path: string) => string): Tree {
  const known = new Set(paths);
  const loaded = new Map<string, string>();
  return {
    paths: paths.toSorted(),
    read(path) {
      if (!known.has(path)) throw new Error(`\`${path}\` is not in the tree`);
      const text = loaded.get(path) ?? load(path);
      loaded.set(path, text);
      return text;
    },
  };
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return walk(root, path);
    return entry.isFile() ? [path] : [];
  });
}
