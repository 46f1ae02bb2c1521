import { z } from 'zod';
import type { Tree } from './tree.ts';

const manifestShape = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
export type Manifest = z.infer<typeof manifestShape>;

export interface Workspace {
  /** From the root, without a slash at the end: `packages/kernel`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

const WORKSPACE = /^(?:packages|apps)\/[^/]+\/package\.json$/;
const TEST_FILE = /\.(?:test|fixture)\.tsx?$|\/(?:bench|soak|test|testing)\//;
const SOURCE_FILE = /\.tsx?$/;

export function workspacesIn(tree: Tree): readonly Workspace[] {
  return tree.paths
    .filter((path) => WORKSPACE.test(path))
    .map((path) => ({
      folder: path.slice(0, -'/package.json'.length),
      manifest: manifestAt(tree, path),
    }));
}

export function manifestAt(tree: Tree, path: string): Manifest {
  return manifestShape.parse(JSON.parse(tree.read(path)));
}

/** TypeScript that a person wrote. */
export function sourcesIn(tree: Tree): readonly string[] {
  return typescriptIn(tree).filter((path) => !path.includes('/gen/'));
}

export function typescriptIn(tree: Tree): readonly string[] {
  return tree.paths.filter((path) => SOURCE_FILE.test(path));
}

/** Tests and what only they use, benchmarks, campaigns: they never ship, so they may use more. */
export function isTest(path: string): boolean {
  return TEST_FILE.test(path) || /^(?:tests|bench)\//.test(path);
}
