import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Cage, KINDS } from '../cage.fixture.ts';
import { notedPoints } from './ledger.ts';

it.each(KINDS)(
  'whatever a sandbox of %s made in a workspace stands in its ledger as it is there',
  async (kind) => {
    await using cage = await Cage.start({ kind, warmth: 'pool' });
    cage.put('z.txt', 'mine');
    cage.putFolder('sub');
    cage.putFolder('sub/.git');
    cage.put('sub/.git/HEAD', 'ref: refs/heads/main\n');
    const noted = () =>
      notedPoints(join(cage.folder, 'state', 'ledger')).map(({ path, ...point }) => {
        const { dev: device, ino: inode, mtimeMs: changedMs } = lstatSync(at(path));
        expect(point).toMatchObject({ device, inode, changedMs });
        return path;
      });
    const at = (path: string) => join(cage.workspace, path);
    const made = () =>
      [...readdirSync(cage.workspace), ...readdirSync(at('sub')).map((name) => `sub/${name}`)]
        .filter((path) => !['z.txt', 'sub', 'sub/.git'].includes(path))
        .toSorted();
    await cage.run({});
    await cage.pool('settle');
    const first = made();
    expect(first).toEqual(expect.arrayContaining(['AGENTS.md', '.git', 'HEAD', 'sub/.envrc']));
    expect(noted().toSorted()).toEqual(first);
    // Taken away and laid again, the files are the same ones and the folders are new.
    await cage.pool('drain');
    expect([made(), noted()]).toEqual([[], []]);
    await cage.run({});
    await cage.pool('settle');
    expect(noted().toSorted()).toEqual(first);
    // A sudden end leaves them, and what tells of them.
    await cage.kill();
    expect([made(), noted().toSorted()]).toEqual([first, first]);
  },
);
