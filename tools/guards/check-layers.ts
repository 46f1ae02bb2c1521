import type { Finding, Tree } from '../tree.ts';
import { type Workspace, workspacesIn } from '../workspaces.ts';
import { checkDeclared } from './check-declared.ts';
import { type Import, importMap } from './import-map.ts';
import { LAYERS_FILE, type Layers, layerOf, layersIn } from './layers-file.ts';

const TESTKIT = 'testkit';
const BOX = 'box';

/** Imports go down only, through one door a package; layers.json says what is below what. */
export function checkLayers(tree: Tree): readonly Finding[] {
  const layers = layersIn(tree);
  const workspaces = workspacesIn(tree);
  const imports = importMap(tree, workspaces);
  return [
    ...checkLists(layers, workspaces),
    ...checkUnused(layers, imports),
    ...imports.flatMap((each) => checkImport(each, layers)),
    ...checkDeclared({ tree, workspaces, imports }),
  ];
}

function checkLists(layers: Layers, workspaces: readonly Workspace[]): Finding[] {
  const names = layers.layers.map(({ name }) => name);
  const folders = workspaces.map(({ folder }) => folder);
  const listed = Object.entries(layers.workspaces);
  return [
    ...folders
      .filter((folder) => !Object.hasOwn(layers.workspaces, folder))
      .map((folder) => inFile(`\`${folder}\` has no layer`)),
    ...listed
      .filter(([folder]) => !folders.includes(folder))
      .map(([folder]) => inFile(`\`${folder}\` does not exist`)),
    ...listed
      .filter(([, name]) => !names.includes(name))
      .map(([folder, name]) => inFile(`\`${folder}\` is in an unknown layer \`${name}\``)),
    ...names
      .filter((name) => !Object.values(layers.workspaces).includes(name))
      .map((name) => inFile(`nothing is in layer \`${name}\``)),
  ];
}

/** An allowance that nobody needs is the one through which the next mistake slips. */
function checkUnused(layers: Layers, imports: readonly Import[]): Finding[] {
  const used = new Set(imports.flatMap((each) => edgeOf(each, layers)));
  return layers.layers.flatMap(({ name, imports: allowed, boxesOnlyIn = [] }) => [
    ...allowed
      .filter((below) => !used.has(`${name} ${below}`))
      .map((below) => inFile(`no \`${name}\` imports a \`${below}\`; take the allowance away`)),
    ...boxesOnlyIn
      .filter((path) => !used.has(`${path} ${BOX}`))
      .map((path) => inFile(`\`${path}\` imports no box; take the allowance away`)),
  ]);
}

function edgeOf({ path, from, to }: Import, layers: Layers): string[] {
  if (from === undefined || to.kind !== 'workspace') return [];
  const below = layerOf(layers, to.workspace.folder)?.name ?? '';
  return [`${layerOf(layers, from.folder)?.name ?? ''} ${below}`, `${path} ${below}`];
}

function checkImport(each: Import, layers: Layers): Finding[] {
  const complaint = complaintAbout(each, layers);
  return complaint === undefined ? [] : [{ path: each.path, says: complaint }];
}

function complaintAbout(each: Import, layers: Layers): string | undefined {
  const { from, specifier, to } = each;
  switch (to.kind) {
    case 'workspace':
      if (to.door === 'side') return `\`${specifier}\` goes past the door of the package`;
      return from === undefined || from === to.workspace
        ? undefined
        : layerComplaint(each, from, layers);
    case 'file':
      return fileComplaint(each, to);
    case 'package':
    case 'builtin':
      return undefined;
  }
}

function layerComplaint(each: Import, from: Workspace, layers: Layers): string | undefined {
  if (each.to.kind !== 'workspace') return undefined;
  const above = layerOf(layers, from.folder);
  const below = layerOf(layers, each.to.workspace.folder);
  if (above === undefined || below === undefined) return undefined;
  if (below.name === TESTKIT) {
    return each.inTest ? undefined : `\`${each.specifier}\` is for tests only`;
  }
  if (!above.imports.includes(below.name)) {
    return `a \`${above.name}\` must not import \`${each.specifier}\`, which is a \`${below.name}\``;
  }
  const boxesOnlyIn = above.boxesOnlyIn ?? [each.path];
  return below.name === BOX && !each.inTest && !boxesOnlyIn.includes(each.path)
    ? `boxes are built in ${boxesOnlyIn.join(', ')} only, and \`${each.specifier}\` is one`
    : undefined;
}

/**
 * Root folders reach an app and a campaign by path, since neither is behind a door; everything
 * else of a package they enter by its name.
 */
function fileComplaint(
  { from, specifier }: Import,
  to: { readonly path: string; readonly workspace: Workspace | undefined },
): string | undefined {
  if (from === to.workspace) return undefined;
  if (from !== undefined) return `\`${specifier}\` leaves the package`;
  return /^packages\/[^/]+\/(?!soak\/)/.test(to.path)
    ? `\`${specifier}\` goes past the door of the package`
    : undefined;
}

function inFile(says: string): Finding {
  return { path: LAYERS_FILE, says };
}
