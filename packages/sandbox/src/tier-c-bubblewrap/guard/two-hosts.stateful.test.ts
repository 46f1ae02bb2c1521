import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cage, type Ended, KINDS } from '../cage.fixture.ts';

interface Long {
  readonly ended: Promise<Ended>;
}

/** Waits for a file in the workspace, then tries to make what is guarded. */
async function startLong(cage: Cage, workspace: string, go: string): Promise<Long> {
  const up = Promise.withResolvers<void>();
  const script = `echo up; until [ -e ${go} ]; do sleep 0.01; done; echo evil > .envrc; echo evil > HEAD; mkdir .git/hooks; rmdir .git; mv .vscode away; exit 0`;
  const ended = cage.sh(script, { workspace, onOutput: () => up.resolve() });
  await up.promise;
  return { ended };
}

const REFUSED = /\.envrc: Read-only[^]*HEAD: Read-only[^]*\.git\/hooks[^]*\.git[^]*\.vscode/;

/** Two processes that know nothing of each other, and one folder. */
describe.each(KINDS)('two makers of sandboxes of %s in one workspace', (kind) => {
  it.each(['first', 'second'])(
    'pull no mask away when the %s ends before the other',
    async (who) => {
      await using one = await Cage.start({ kind });
      await using other = await Cage.start({ kind });
      const { workspace } = one;
      const first = await startLong(one, workspace, 'go-first');
      const second = await startLong(other, workspace, 'go-second');
      const [early, late] = who === 'first' ? [first, second] : [second, first];
      writeFileSync(join(workspace, who === 'first' ? 'go-first' : 'go-second'), '');
      expect((await early.ended).stderr).toMatch(REFUSED);
      expect(readdirSync(workspace)).toContain('.envrc');
      writeFileSync(join(workspace, who === 'first' ? 'go-second' : 'go-first'), '');
      expect((await late.ended).stderr).toMatch(REFUSED);
      // Whoever could not tidy up then does it later.
      const left = () => readdirSync(workspace).toSorted();
      await expect.poll(left).toEqual(['go-first', 'go-second']);
    },
  );

  it('do not stand in each other’s way while one keeps something warm', async () => {
    await using one = await Cage.start({ kind });
    await using warm = await Cage.start({ kind, warmth: 'pool' });
    const { workspace } = one;
    await warm.sh('true', { workspace });
    await warm.pool('settle');
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, place) =>
        (place % 2 === 0 ? one : warm).sh('echo x > .envrc || echo kept', { workspace }),
      ),
    );
    expect(all.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 6 }, () => 'kept\n'));
    await warm.pool('drain');
    await expect.poll(() => readdirSync(workspace)).toEqual([]);
  });

  it('that end suddenly leave what the other removes nothing of, and the next one everything', async () => {
    await using one = await Cage.start({ kind });
    await using other = await Cage.start({ kind });
    const { workspace } = one;
    const first = await startLong(one, workspace, 'never');
    const second = await startLong(other, workspace, 'go');
    await one.kill();
    void first;
    writeFileSync(join(workspace, 'go'), '');
    expect((await second.ended).stderr).toMatch(REFUSED);
    await one.restart();
    await expect.poll(() => readdirSync(workspace)).toEqual(['go']);
  });
});
