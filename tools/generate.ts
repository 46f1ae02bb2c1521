import './right-node.cjs';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareGenerated } from './generators/compare.ts';
import { GENERATORS } from './generators/list.ts';
import { print } from './print.ts';
import { ROOT } from './run.ts';
import { treeAt } from './tree.ts';

// One after the other: a later page may be made from an earlier one.
for (const generator of GENERATORS) {
  const pages = await generator.render(ROOT);
  for (const { path, is } of compareGenerated(treeAt(ROOT), generator.owns, pages)) {
    write(path, pages.get(path));
    print(`${is === 'left over' ? 'removed' : 'wrote'} ${path}`);
  }
}

function write(path: string, text: string | undefined): void {
  const target = join(ROOT, path);
  if (text === undefined) {
    rmSync(target);
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
