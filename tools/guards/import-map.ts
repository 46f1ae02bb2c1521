import { dirname, posix } from 'node:path';
import { importsOf } from '../source/imports.ts';
import type { Tree } from '../tree.ts';
import { type Workspace, isTest, typescriptIn } from '../workspaces.ts';

/** One import of one file, and where it leads. */
export interface Import {
  readonly path: string;
  readonly from: Workspace | undefined;
  readonly specifier: string;
  readonly inTest: boolean;
  readonly to: Target;
}

export type Target =
  | { readonly kind: 'workspace'; readonly workspace: Workspace; readonly door: 'front' | 'side' }
  | { readonly kind: 'file'; readonly path: string; readonly workspace: Workspace | undefined }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'builtin' };

export function importMap(tree: Tree, workspaces: readonly Workspace[]): readonly Import[] {
  return typescriptIn(tree).flatMap((path) =>
    importsOf(tree.read(path)).map((specifier) => ({
      path,
      from: ownerOf(path, workspaces),
      specifier,
      inTest: isTest(path),
      to: targetOf(path, specifier, workspaces),
    })),
  );
}

function targetOf(path: string, specifier: string, workspaces: readonly Workspace[]): Target {
  if (specifier.startsWith('node:')) return { kind: 'builtin' };
  if (specifier.startsWith('.')) {
    const target = posix.join(dirname(path), specifier);
    return { kind: 'file', path: target, workspace: ownerOf(target, workspaces) };
  }
  const name = packageName(specifier);
  const workspace = workspaces.find(({ manifest }) => manifest.name === name);
  if (workspace === undefined) return { kind: 'package', name };
  return { kind: 'workspace', workspace, door: specifier === name ? 'front' : 'side' };
}

export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function ownerOf(path: string, workspaces: readonly Workspace[]): Workspace | undefined {
  return workspaces.find(({ folder }) => path.startsWith(`${folder}/`));
}
