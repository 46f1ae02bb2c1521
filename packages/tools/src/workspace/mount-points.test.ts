import { linkSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { previewChanges } from '../preview-changes.ts';
import { readTopText } from './top-text.ts';
import { MADE_AT, TestWorkspace } from './workspace.fixture.ts';

/** As it is after a command ran in a sandbox, with one file that somebody has made. */
function guarded(files: Readonly<Record<string, string>> = { 'z.txt': 'zebra\n' }): TestWorkspace {
  const space = new TestWorkspace(files);
  rmSync(space.at('.palyra'), { recursive: true });
  for (const name of ['AGENTS.md', '.bazelrc', 'HEAD']) space.addMountPoint(name, 'file');
  for (const name of ['.git', '.github', '.palyra']) space.addMountPoint(name, 'folder');
  return space;
}

describe('what a mask lies on', () => {
  it('is neither listed nor counted', async () => {
    using space = guarded();
    const list = await space.run('fs.list', { depth: 3 });
    // The gateway's own folder of the test is one that is left out.
    expect(list).toBe('1 entries; 1 left out as secret or not for tools\nfile 6 z.txt\n');
    expect(await space.run('fs.search', { text: 'zebra' })).toBe(
      '1 line found; 1 left out as secret or not for tools\nz.txt:1: zebra\n',
    );
  });

  it.each([
    ['fs.read', { path: 'AGENTS.md' }, 'AGENTS.md'],
    ['fs.read', { path: '.github' }, '.github'],
    ['fs.read', { path: '.github/x.yml' }, '.github'],
    ['fs.list', { path: '.github' }, '.github'],
    ['fs.list', { path: 'AGENTS.md' }, 'AGENTS.md'],
    ['fs.search', { path: 'AGENTS.md', text: 'x' }, 'AGENTS.md'],
    ['fs.search', { path: '.github', text: 'x' }, '.github'],
    ['fs.write', { path: '.github/x.yml', content: '', folders: 'existing' }, '.github'],
  ])('is not there for %s %j', async (tool, args, path) => {
    using space = guarded();
    expect(await space.run(tool, args)).toBe(`NOT_FOUND: there is no \`${path}\``);
  });

  it('says nothing of the workspace', () => {
    using space = guarded();
    expect(readTopText(space.hands.workspace, 'AGENTS.md', 100)).toBeUndefined();
  });

  it('is found in repositories below, too', async () => {
    using space = guarded({ 'sub/a': '' });
    space.addMountPoint('sub/AGENTS.md', 'file');
    expect(await space.run('fs.list', { path: 'sub' })).toBe('1 entries\nfile 0 sub/a\n');
  });
});

describe('somebody’s own file stays in view', () => {
  it('when it is empty and nobody told of it', async () => {
    using space = new TestWorkspace({ 'AGENTS.md': '' });
    expect(await space.run('fs.list', {})).toContain('file 0 AGENTS.md\n');
    expect(await space.run('fs.read', { path: 'AGENTS.md' })).toContain('the file is empty');
  });

  it.each<[string, (space: TestWorkspace) => void]>([
    ['something is written to it', (space) => space.write('AGENTS.md', 'x')],
    ['it is touched', (space) => utimesSync(space.at('AGENTS.md'), 1, 1)],
    ['it has a second name', (space) => linkSync(space.at('AGENTS.md'), space.at('other'))],
    ['it is a link', (space) => replace(space, () => symlinkSync('z', space.at('AGENTS.md')))],
    ['it is a folder', (space) => replace(space, () => mkdirSync(space.at('AGENTS.md')))],
  ])('once %s', async (_, use) => {
    using space = guarded();
    use(space);
    expect(await space.run('fs.list', {})).toMatch(/^(file|link|folder) [-\d]+ AGENTS\.md\/?$/m);
  });

  it('when what was made for a mask is removed and an empty one is made, whatever its number', async () => {
    using space = guarded();
    rmSync(space.at('AGENTS.md'));
    space.write('AGENTS.md', '');
    expect(await space.run('fs.list', {})).toContain('file 0 AGENTS.md\n');
  });

  it('when its time is put back after something was written', async () => {
    using space = guarded();
    space.write('AGENTS.md', 'x');
    space.write('.github/x', '');
    for (const name of ['AGENTS.md', '.github']) utimesSync(space.at(name), MADE_AT, MADE_AT);
    const list = await space.run('fs.list', { depth: 2 });
    expect(list).toContain('file 1 AGENTS.md\n');
    expect(list).toContain('folder - .github/\nfile 0 .github/x\n');
  });

  it('when another one has the name of what was made elsewhere', async () => {
    using space = guarded({ 'sub/AGENTS.md': '' });
    expect(await space.run('fs.list', { path: 'sub' })).toContain('file 0 sub/AGENTS.md\n');
  });
});

describe('a change where a mask lies', () => {
  it.each(['create', 'replace', 'append'])('makes the file with mode %s', async (mode) => {
    using space = guarded();
    const said = await space.run('fs.write', { path: 'HEAD', content: 'mine', mode });
    expect(said).toBe('made `HEAD`; 4 bytes\n');
    expect(space.read('HEAD')).toBe('mine');
    expect(space.kept).toMatchObject([{ path: 'HEAD', before: { kind: 'absent' } }]);
    expect(await space.run('fs.list', {})).toContain('file 4 HEAD\n');
  });

  it('uses the folder that is there, and is the same change as without it', async () => {
    using space = guarded();
    const args = { path: '.github/x.yml', content: 'mine', mode: 'create', folders: 'create' };
    const preview = () => previewChanges({ name: 'fs.write', arguments: args }, space.hands);
    const withIt = preview();
    expect(withIt?.changes).toMatchObject([{ facts: 'in ', madeFolders: 1 }]);
    rmSync(space.at('.github'), { recursive: true });
    expect(preview()).toEqual(withIt);
    space.addMountPoint('.github', 'folder');
    expect(await space.run('fs.write', args)).toBe('made `.github/x.yml`; 4 bytes\n');
    expect(await space.run('fs.list', { depth: 2 })).toContain('file 4 .github/x.yml\n');
  });

  it('is refused for what other programs obey, as ever', async () => {
    using space = guarded();
    const args = { path: 'AGENTS.md', content: 'obey', mode: 'replace' };
    expect(await space.runAnyway('fs.write', args)).toContain('SANDBOX_SCOPE_DENIED');
    expect(space.read('AGENTS.md')).toBe('');
  });

  it('is not refused because a mask makes a folder look like a repository', async () => {
    using space = guarded({ 'objects/a': '', 'refs/a': '' });
    expect(await space.run('fs.write', { path: 'new', content: '' })).toContain('made `new`');
  });
});

function replace(space: TestWorkspace, make: () => void): void {
  rmSync(space.at('AGENTS.md'));
  make();
}
