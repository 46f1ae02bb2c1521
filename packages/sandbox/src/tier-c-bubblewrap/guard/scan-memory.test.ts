import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLibc } from '../../libc.ts';
import { type Workspace, openWorkspace } from '../workspace.ts';
import { DEFAULT_GUARD } from './rules.ts';
import { ScanMemory, openMemory } from './scan-memory.ts';
import { type Scanned, scan } from './scan.ts';

const libc = openLibc();
const OPTIONS = { rules: DEFAULT_GUARD, ours: new Map() };

let folder = '';
let workspace: Workspace;
let memory: ScanMemory;
const at = (name: string) => join(folder, name);
const put = (name: string) => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), '');
};

const exchange = (one: string, other: string) => {
  renameSync(at(one), at('between'));
  try {
    renameSync(at(other), at(one));
  } finally {
    renameSync(at('between'), at(other));
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-memory-'));
  workspace = openWorkspace(folder);
  memory = openMemory(libc, workspace);
  for (const name of ['src/deep/a.ts', '.npmrc', 'node_modules/x/y.js']) put(name);
});
afterEach(() => {
  memory[Symbol.dispose]();
  workspace[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

async function look(): Promise<Scanned> {
  const begun = memory.begin();
  const scanned = await scan(workspace.descriptor, { ...OPTIONS, ...begun });
  memory.keep(begun, scanned);
  return scanned;
}

describe('what was found in a workspace', () => {
  it('is remembered as long as nothing in it changes', async () => {
    const scanned = await look();
    expect(memory.recall()?.scanned).toBe(scanned);
    writeFileSync(at('src/deep/a.ts'), 'the content of a file tells nothing of its name');
    expect(memory.recall()?.scanned).toBe(scanned);
  });

  it.each<[string, () => void]>([
    ['a secret is made', () => put('src/deep/.env')],
    ['a secret is moved into it', () => renameSync(at('src/deep/a.ts'), at('src/deep/id_rsa'))],
    ['a folder is made', () => mkdirSync(at('src/more'))],
    ['a file is removed', () => unlinkSync(at('src/deep/a.ts'))],
    ['a folder above is renamed', () => renameSync(at('src'), at('other'))],
    ['rights of a folder are taken', () => chmodSync(at('src/deep'), 0o500)],
    ['a guarded file is replaced', () => renameSync(at('src/deep/a.ts'), at('.npmrc'))],
    // Nobody looks into that folder, unless a guarded file has a second name somewhere.
    [
      'a second name is given where nobody looks',
      () => linkSync(at('.npmrc'), at('node_modules/x/z')),
    ],
  ])('is not when %s', async (_, change) => {
    await look();
    change();
    expect(memory.recall()).toBeUndefined();
    expect(await look()).toEqual(await scan(workspace.descriptor, OPTIONS));
    expect(memory.recall()).toBeDefined();
  });

  it('is not when more has changed than the kernel keeps in mind', async () => {
    await look();
    for (let round = 0; round < 20_000; round += 1) utimesSync(at('.npmrc'), round, round);
    expect(memory.recall()).toBeUndefined();
    await look();
    expect(memory.recall()).toBeDefined();
  });

  it('is not when another look began meanwhile', async () => {
    const first = memory.begin();
    const scanned = await scan(workspace.descriptor, { ...OPTIONS, ...first });
    put('.env');
    memory.begin();
    memory.keep(first, scanned);
    expect([memory.recall(), memory.isAsIn(first)]).toEqual([undefined, false]);
  });

  it.each(['src/deep/a.ts', 'node_modules/x/none'])(
    'is never where it hangs on what a link leads to, as on %s',
    async (target) => {
      symlinkSync(target, at('.env'));
      await look();
      expect(memory.recall()).toBeUndefined();
    },
  );

  it.each(['.git/objects/info', '.git/objects'])(
    'is not when git is told in %s to take objects from elsewhere',
    async (there) => {
      for (const name of ['.git/HEAD', '.git/refs/heads/main', `${there}/pack`]) put(name);
      await look();
      expect(memory.recall()).toBeDefined();
      mkdirSync(at('.git/objects/info'), { recursive: true });
      linkSync(at('src/deep/a.ts'), at('.git/objects/info/alternates'));
      expect(memory.recall()).toBeUndefined();
      const guarded = { path: 'src/deep/a.ts', how: 'read-only' };
      expect((await look()).guarded).toContainEqual(guarded);
    },
  );

  it('is as good after as many folders have come and gone as can be watched', async () => {
    for (let round = 0; round < 6; round += 1) {
      for (let count = 0; count < 1000; count += 1) mkdirSync(at(`src/${count}`));
      await look();
      expect(memory.recall()).toBeDefined();
      for (let count = 0; count < 1000; count += 1) rmdirSync(at(`src/${count}`));
    }
  });

  it('is never where there is more than is watched', async () => {
    for (let count = 0; count <= 4096; count += 1) mkdirSync(at(`src/${count}`));
    await look();
    expect(memory.recall()).toBeUndefined();
  });

  it('is never without somebody who hears of changes', async () => {
    memory[Symbol.dispose]();
    memory = new ScanMemory();
    await look();
    expect(memory.recall()).toBeUndefined();
  });

  it('is listed anew only where something has changed', async () => {
    put('lib/x');
    await look();
    const before = memory.begin().lists;
    const [deep, lib] = [before.of('src/deep'), before.of('lib')];
    put('src/deep/b.ts');
    const { lists } = memory.begin();
    expect(deep?.map(({ name }) => name)).toEqual(['a.ts']);
    expect([lists.of('src/deep'), lists.of('lib')]).toEqual([undefined, lib]);
  });

  it('is not what was known of the folder whose place another takes, at any depth', async () => {
    put('lib/deep/.env');
    await look();
    exchange('src', 'lib');
    const { guarded } = await look();
    expect(guarded).toContainEqual({ path: 'src/deep/.env', how: 'sealed-file' });
    expect(guarded).toEqual((await scan(workspace.descriptor, OPTIONS)).guarded);
  });

  it('is not added to by a look that another one overtook', async () => {
    // So many names that the first look gives everybody else a turn there.
    for (let count = 0; count <= 1000; count += 1) put(`p/q/${count}`);
    for (const name of ['p/q/r/x', 'outside/p/q/r/x', 'outside/p/q3/r/.env']) put(name);
    renameSync(at('outside'), `${folder}-outside`);
    const first = scan(workspace.descriptor, { ...OPTIONS, ...memory.begin() });
    for (let turns = 0; turns < 1000; turns += 1) await Promise.resolve();
    exchange('p', `../${basename(folder)}-outside/p`);
    const second = memory.begin();
    await first;
    exchange('p/q', 'p/q3');
    const scanned = await scan(workspace.descriptor, { ...OPTIONS, ...second });
    rmSync(`${folder}-outside`, { recursive: true });
    expect(scanned.guarded).toContainEqual({ path: 'p/q/r/.env', how: 'sealed-file' });
  });

  it('is what another look finds, whatever is done to it', async () => {
    const names = ['.env', '.npmrc', '.git/HEAD', 'src/a', 'src/.env', 'src/deep/.git/config', 'b'];
    const folders = ['src', 'src/deep', 'lib', 'lib/deep/down'];
    const name = fc.constantFrom(...names, ...folders);
    const change = fc.oneof(
      name.map((of) => () => put(of)),
      fc.tuple(name, name).map(
        ([one, other]) =>
          () =>
            exchange(one, other),
      ),
      name.map((of) => () => rmSync(at(of), { recursive: true })),
      name.map((of) => () => mkdirSync(at(of), { recursive: true })),
      fc.tuple(name, name).map(
        ([from, to]) =>
          () =>
            renameSync(at(from), at(to)),
      ),
      fc.tuple(name, name).map(
        ([from, to]) =>
          () =>
            linkSync(at(from), at(to)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 16 }), async (changes) => {
        for (const make of changes) {
          attempt(make);
          const found = memory.recall()?.scanned ?? (await look());
          expect(found).toEqual(await scan(workspace.descriptor, OPTIONS));
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Not every name can be made, moved or removed at every moment. */
function attempt(make: () => void): void {
  try {
    make();
  } catch (error) {
    expect(error).toHaveProperty('syscall');
  }
}
