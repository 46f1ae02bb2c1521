import { chownSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TestWorkspace } from './workspace.fixture.ts';

describe('a folder that a tool makes', () => {
  it('can be read by others, though the daemon keeps its own files to itself', async () => {
    using space = new TestWorkspace();
    const before = process.umask(0o077);
    try {
      await space.run('fs.write', { path: 'a/b/c', content: 'x', folders: 'create' });
    } finally {
      process.umask(before);
    }
    const modes = ['a', 'a/b', 'a/b/c'].map((path) => statSync(space.at(path)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o755, 0o644]);
  });

  // Only root can work in a folder of somebody else.
  it.runIf(process.getuid?.() === 0)(
    'belongs to whose workspace it is, at every step',
    async () => {
      using space = new TestWorkspace();
      chownSync(space.at('.'), NOBODY, NOBODY);
      space.reopen();
      const before = process.umask(0o077);
      try {
        await space.run('fs.write', { path: 'a/b/c', content: 'x', folders: 'create' });
      } finally {
        process.umask(before);
      }
      const owners = ['a', 'a/b', 'a/b/c'].map((path) => statSync(space.at(path)).uid);
      expect(owners).toEqual([NOBODY, NOBODY, NOBODY]);
    },
  );
});

const NOBODY = 65_534;
