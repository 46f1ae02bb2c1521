import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TestWorkspace } from '../workspace/workspace.fixture.ts';

describe('fs.list', () => {
  it('gives kind, size and path of each entry, by name', async () => {
    using space = new TestWorkspace({ 'b.txt': 'four', 'a/inner': '', 'Z.md': 'x' });
    symlinkSync('/etc', space.at('link'));
    execFileSync('mkfifo', [space.at('pipe')]);
    expect(await space.run('fs.list', {})).toBe(
      [
        '5 entries; 2 left out as secret or not for tools',
        'file 1 Z.md',
        'folder - a/',
        'file 4 b.txt',
        'link - link',
        'other - pipe',
        '',
      ].join('\n'),
    );
  });

  it('enters so many levels as it was told, and no link', async () => {
    using space = new TestWorkspace({ 'a/b/c/d': '' });
    symlinkSync('b', space.at('a/link'));
    expect(await space.run('fs.list', { path: 'a', depth: 2 })).toBe(
      '3 entries\nfolder - a/b/\nfolder - a/b/c/\nlink - a/link\n',
    );
  });

  it('leaves out secrets, repositories and what ignore files hide, and counts them', async () => {
    using space = new TestWorkspace({
      '.gitignore': 'node_modules/\n*.log\n!keep.log\n/only-top\n',
      'src/.ignore': 'made/**\n',
      'node_modules/x/index.js': '',
      'a.log': '',
      'src/keep.log': '',
      'src/b.log': '',
      'src/only-top': '',
      'src/made/x': '',
      'only-top': '',
      '.git/config': '',
      '.env': '',
      'src/key.pem': '',
    });
    expect(await space.run('fs.list', { depth: 16 })).toBe(
      [
        '6 entries; 5 left out by ignore files; 5 left out as secret or not for tools',
        'file 40 .gitignore',
        'folder - src/',
        'file 8 src/.ignore',
        'file 0 src/keep.log',
        'folder - src/made/',
        'file 0 src/only-top',
        '',
      ].join('\n'),
    );
  });

  it('shows names with line breaks and odd letters on one line', async () => {
    using space = new TestWorkspace({ 'a\nfile 9 b': '', 'c"\'`d': '', 'e\u202Ef': '' });
    const output = await space.run('fs.list', {});
    expect(output.split('\n')).toHaveLength(5);
    expect(output).toContain('a\\u{000a}file 9 b\n');
    expect(output).toContain('file 0 c"\'`d\n');
    expect(output).toContain('e\\u{202e}f\n');
  });

  it('lists what is in a folder with secrets when that is what was named', async () => {
    using space = new TestWorkspace({ '.ssh/config': '', '.ssh/id_rsa': '' });
    expect(await space.run('fs.list', { path: '.ssh' })).toBe(
      '1 entries; 1 left out as secret or not for tools\nfile 0 .ssh/config\n',
    );
  });

  it('stops when it has looked at enough, and says so', async () => {
    using space = new TestWorkspace({ a: '', b: '', c: '' }, { entries: 2 });
    expect(await space.run('fs.list', {})).toContain('there is more');
  });

  it('goes down a deep nesting only to its bound', async () => {
    using space = new TestWorkspace();
    mkdirSync(space.at(Array(60).fill('d').join('/')), { recursive: true });
    const output = await space.run('fs.list', { path: 'd', depth: 16 });
    expect(output).toMatch(/^16 entries\n/);
  });

  it('counts a folder that may not be entered', async () => {
    using space = new TestWorkspace({ 'closed/a': '', b: '' });
    chmodSync(space.at('closed'), 0o000);
    const output = await space.run('fs.list', { depth: 2 });
    // Root owns this workspace and may; anybody else may not.
    if (process.getuid?.() !== 0) expect(output).toContain('could not be read');
    expect(output).toContain('folder - closed/');
    chmodSync(space.at('closed'), 0o755);
  });

  it('refuses a file and what is not there', async () => {
    using space = new TestWorkspace({ a: '' });
    expect(await space.run('fs.list', { path: 'a' })).toContain('is no folder');
    expect(await space.run('fs.list', { path: 'no' })).toBe('NOT_FOUND: there is no `no`');
  });
});
