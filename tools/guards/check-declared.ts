import type { Finding, Tree } from '../tree.ts';
import { type Workspace, manifestAt } from '../workspaces.ts';
import type { Import } from './import-map.ts';

const ROOT_MANIFEST = 'package.json';

export interface Declared {
  readonly tree: Tree;
  readonly workspaces: readonly Workspace[];
  readonly imports: readonly Import[];
}

/** What a package imports is what its package.json declares: nothing missing, nothing left over. */
export function checkDeclared({ tree, workspaces, imports }: Declared): readonly Finding[] {
  const root = Object.keys(manifestAt(tree, ROOT_MANIFEST).devDependencies);
  const everywhere = [
    ...root,
    ...workspaces.flatMap(({ manifest }) => Object.keys(manifest.dependencies)),
  ];
  return [
    ...imports.flatMap((each) =>
      checkOne(each, each.from === undefined && each.inTest ? everywhere : root),
    ),
    ...workspaces.flatMap((workspace) => checkLeftOver(workspace, imports)),
  ];
}

function checkOne(each: Import, shared: readonly string[]): Finding[] {
  const name = nameOf(each);
  if (name === undefined || isAllowed(each, name, shared)) return [];
  const where = each.from?.folder ?? 'the root';
  return [{ path: each.path, says: `\`${name}\` is not declared in the package.json of ${where}` }];
}

/**
 * Tests may use the tools of the whole repository, every workspace that their layer allows and what
 * their own package.json has for development, which nothing that ships may; those at the root stand outside of all packages and may use what any of them does.
 */
function isAllowed({ from, inTest, to }: Import, name: string, shared: readonly string[]): boolean {
  const ours = to.kind === 'workspace';
  if (from === undefined) return ours || shared.includes(name);
  if (Object.hasOwn(from.manifest.dependencies, name)) return true;
  if (ours && to.workspace === from) return true;
  return inTest && (ours || shared.includes(name) || isForTests(from, name));
}

function isForTests({ manifest }: Workspace, name: string): boolean {
  return Object.hasOwn(manifest.devDependencies, name);
}

function checkLeftOver({ folder, manifest }: Workspace, imports: readonly Import[]): Finding[] {
  const used = new Set(
    imports
      .filter((each) => each.from?.folder === folder && !each.inTest)
      .map((each) => nameOf(each)),
  );
  return Object.keys(manifest.dependencies)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: `${folder}/package.json`,
      says: `\`${name}\` is declared and never imported`,
    }));
}

function nameOf({ to }: Import): string | undefined {
  switch (to.kind) {
    case 'workspace':
      return to.workspace.manifest.name;
    case 'package':
      return to.name;
    case 'file':
    case 'builtin':
      return undefined;
  }
}
