import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOTHING, lookAt } from './seen.ts';
import { StagedChange } from './staged-change.ts';
import { TestWorkspace } from './workspace.fixture.ts';

async function stage(space: TestWorkspace, name: string): Promise<StagedChange> {
  const { workspace } = space.hands;
  const before = lookAt(workspace, [name], 100);
  const after = { kind: 'file', bytes: Buffer.from('new') } as const;
  return StagedChange.prepare(
    space.hands,
    { names: [name], before, after, folders: 'existing' },
    'kept',
  );
}

function draftsIn(space: TestWorkspace): string[] {
  return space.names().filter((name) => name.startsWith('.palyra-draft-'));
}

describe('a change that lies ready', () => {
  it('is not made when somebody has written into what lies ready', async () => {
    using space = new TestWorkspace();
    using staged = await stage(space, 'a');
    for (const draft of draftsIn(space)) writeFileSync(space.at(draft), 'not what was approved');
    expect(() => staged.check()).toThrow('was changed by somebody else');
    staged.rollBack();
    expect(space.names()).toEqual([]);
  });

  it('is not made when what lies ready was exchanged for a link', async () => {
    using space = new TestWorkspace();
    using staged = await stage(space, 'a');
    for (const draft of draftsIn(space)) {
      rmSync(space.at(draft));
      symlinkSync('/etc/passwd', space.at(draft));
    }
    expect(() => staged.check()).toThrow('was changed by somebody else');
    staged.rollBack();
    expect(space.names()).toEqual([]);
  });

  it('does not replace a file that came meanwhile', async () => {
    using space = new TestWorkspace();
    using staged = await stage(space, 'a');
    staged.check();
    space.write('a', 'own');
    expect(() => staged.commit()).toThrow('is there already');
    staged.rollBack();
    expect([space.names(), space.read('a')]).toEqual([['a'], 'own']);
  });

  it('is taken back with the very file that was there', async () => {
    using space = new TestWorkspace({ a: 'old' });
    using staged = await stage(space, 'a');
    staged.check();
    staged.commit();
    expect(space.read('a')).toBe('new');
    staged.rollBack();
    expect([space.names(), space.read('a')]).toEqual([['a'], 'old']);
  });

  it('is not made in a folder that was put aside', async () => {
    using space = new TestWorkspace({ 'in/a': 'old' });
    const after = { kind: 'file', bytes: Buffer.from('new') } as const;
    const change = { names: ['in', 'b'], before: NOTHING, after, folders: 'existing' } as const;
    using staged = await StagedChange.prepare(space.hands, change, 'none');
    renameSync(space.at('in'), space.at('.git'));
    mkdirSync(space.at('in'));
    expect(() => staged.check()).toThrow('was changed by somebody else');
    staged.rollBack();
    expect(space.names()).toEqual(['.git', '.git/a', 'in']);
  });
});
