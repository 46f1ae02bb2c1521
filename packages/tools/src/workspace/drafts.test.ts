import { chownSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TestWorkspace } from './workspace.fixture.ts';

const LEFT = '.palyra-draft-0b8c6d1e-6a52-4c5e-9a53-0d1f2e3a4b5c';
const OTHER = '.palyra-draft-1b8c6d1e-6a52-4c5e-9a53-0d1f2e3a4b5c';
const isRoot = process.getuid?.() === 0;

/** As if everything had been lying there for an hour. */
function old(files: Readonly<Record<string, string>>): TestWorkspace {
  return new TestWorkspace(files, { draftMs: 0 });
}

describe('what a crash has left', () => {
  it('goes with the next change in its folder, and in no other', async () => {
    using space = old({ [LEFT]: 'half', [`in/${OTHER}`]: 'half' });
    await space.run('fs.write', { path: 'a', content: 'x' });
    expect(space.names()).toEqual(['a', 'in', `in/${OTHER}`]);
  });

  it('goes as a second name of a file that stays', async () => {
    using space = old({ a: 'old' });
    linkSync(space.at('a'), space.at(LEFT));
    await space.run('fs.write', { path: 'b', content: 'x' });
    expect([space.names(), space.read('a')]).toEqual([['a', 'b'], 'old']);
  });

  it('goes with a patch of several files in one folder, which keeps its own until it is made', async () => {
    using space = old({ a: 'one\n', b: 'two\n', [LEFT]: 'half' });
    const patch = [
      '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+1\n',
      '--- a/b\n+++ b/b\n@@ -1 +1 @@\n-two\n+2\n',
    ].join('');
    await space.run('fs.patch', { patch });
    expect([space.names(), space.read('a'), space.read('b')]).toEqual([['a', 'b'], '1\n', '2\n']);
  });
});

describe('what stays', () => {
  it('is what was laid ready within the hour', async () => {
    using space = new TestWorkspace({ [LEFT]: 'of a call that is at work' });
    await space.run('fs.write', { path: 'a', content: 'x' });
    expect(space.names()).toEqual([LEFT, 'a']);
  });

  it('is what no call of ours has called so, and what is no file', async () => {
    using space = old({ '.palyra-draft-1': 'x', [`${LEFT}.txt`]: 'x', kept: 'x' });
    symlinkSync('kept', space.at(LEFT));
    mkdirSync(space.at(OTHER));
    await space.run('fs.write', { path: 'a', content: 'x' });
    expect(space.names()).toEqual([LEFT, `${LEFT}.txt`, '.palyra-draft-1', OTHER, 'a', 'kept']);
  });

  it.runIf(isRoot)('is what belongs to somebody else', async () => {
    using space = old({ [LEFT]: 'theirs' });
    chownSync(space.at(LEFT), 12_345, 12_345);
    await space.run('fs.write', { path: 'a', content: 'x' });
    expect(space.names()).toEqual([LEFT, 'a']);
  });
});
