import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { z } from 'zod';

const versionShape = z.object({ version: z.string() });
const NPM_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const OUR_FOLDER = /^((?:packages|apps)\/[^/]+)\//;
/** A part of Node that is loaded by name, later than an import would be. */
const ASKED_FOR = /\bgetBuiltinModule\('(?:node:)?([a-z0-9_/]+)'\)/g;

/** What ends up in a program: our packages, npm packages with their version, parts of Node. */
export function bundleContents(metafiles: readonly Metafile[], root: string): string {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const ours = firstGroups(inputs, OUR_FOLDER);
  const npm = firstGroups(inputs, NPM_FOLDER).map((folder) => describe(folder, root));
  const node = metafiles
    .flatMap((metafile) => Object.values(metafile.inputs))
    .flatMap(({ imports }) => imports)
    // What lies beside a program is told of by itself.
    .filter(({ external, path }) => external === true && !/^[<.]/.test(path))
    .map(({ path }) => (path.startsWith('node:') ? path : `node:${path}`));
  node.push(...unique(inputs).flatMap((path) => askedFor(path, root)));
  return [...unique(ours), ...unique(npm), ...unique(node)].map((line) => `${line}\n`).join('');
}

function askedFor(path: string, root: string): string[] {
  if (!OUR_FOLDER.test(path) || !path.endsWith('.ts')) return [];
  const source = readFileSync(join(root, path), 'utf8');
  return [...source.matchAll(ASKED_FOR)].map(([, name = '']) => `node:${name}`);
}

function firstGroups(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => pattern.exec(path)?.[1] ?? []);
}

function describe(folder: string, root: string): string {
  const text = readFileSync(join(root, folder, 'package.json'), 'utf8');
  const { version } = versionShape.parse(JSON.parse(text));
  return `npm:${folder.split('node_modules/').at(-1) ?? ''}@${version}`;
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)].toSorted();
}
