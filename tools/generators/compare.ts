import type { Tree } from '../tree.ts';
import type { Pages } from './generator.ts';

export interface Difference {
  readonly path: string;
  readonly is: 'missing' | 'out of date' | 'left over';
}

/** How the tree differs from what the generator would write; empty means clean. */
export function compareGenerated(tree: Tree, owns: string, pages: Pages): readonly Difference[] {
  const present = tree.paths.filter((path) => path === owns || path.startsWith(`${owns}/`));
  return [
    ...Array.from(pages, ([path, text]) => compareOne(tree, path, text)).flat(),
    ...present
      .filter((path) => !pages.has(path))
      .map((path) => ({ path, is: 'left over' }) as const),
  ];
}

function compareOne(tree: Tree, path: string, text: string): Difference[] {
  if (!tree.paths.includes(path)) return [{ path, is: 'missing' }];
  return tree.read(path) === text ? [] : [{ path, is: 'out of date' }];
}
