import type { Rule } from '../model.ts';
import { spellPath } from '../request/paths.ts';
import { workspaceEntity } from '../request/workspace.ts';
import { comparedWith, likenesses } from './compared-with.ts';
import type { Expression } from './expression.ts';
import type { Resource } from './target.ts';

/** So many that rules name are asked about, and as many patterns; the rest is left to doubt. */
const MAX_FOLDERS = 32;

/** Each folder that rules name, one like each pattern of theirs, and one for all others. */
export function workspaceTargets(
  named: ReadonlySet<string>,
  rules: readonly Rule[],
): readonly Resource[] {
  const compared = rules.flatMap((rule) => comparedWith('resource.path', rule));
  const paths = new Set([...named, ...compared.filter(isFolder)].slice(0, MAX_FOLDERS));
  const patterns = rules
    .flatMap((rule) => likenesses('resource.path', rule))
    .slice(0, MAX_FOLDERS)
    .map((pattern) => [folderLike(pattern), `folders like ${wordsOf(pattern)}`] as const);
  const likes = new Map(patterns.filter(([path]) => isFolder(path) && !paths.has(path)));
  return [
    ...[...paths].map((path) => workspaceTarget(path, path)),
    ...[...likes].map(([path, words]) => workspaceTarget(path, words)),
    workspaceTarget('/unnamed', 'any other folder'),
  ];
}

type Pattern = NonNullable<Expression['pattern']>;

/** Stands for all that are like it, and for no other pattern. */
export function folderLike(pattern: Pattern): string {
  return pattern.map((piece) => piece ?? 'unnamed-folder').join('');
}

function wordsOf(pattern: Pattern): string {
  return pattern.map((piece) => piece ?? '*').join('');
}

function isFolder(path: string | number): path is string {
  return typeof path === 'string' && path.startsWith('/') && spellPath(path) === path;
}

function workspaceTarget(path: string, words: string): Resource {
  const { uid, attrs } = workspaceEntity(path);
  return {
    resource: uid,
    label: words,
    family: words,
    capabilities: [],
    attributes: () => attrs,
  };
}
