import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restore } from '../workspace/restore.ts';
import { TestWorkspace } from '../workspace/workspace.fixture.ts';

const isRoot = process.getuid?.() === 0;
const signal = new AbortController().signal;

describe('fs.write', () => {
  it('makes a file, and nothing beside it', async () => {
    using space = new TestWorkspace();
    expect(await space.run('fs.write', { path: 'a.md', content: 'é\r\n' })).toBe(
      'made `a.md`; 4 bytes\n',
    );
    expect(space.read('a.md')).toBe('é\r\n');
    expect(statSync(space.at('a.md')).mode & 0o777).toBe(0o644);
    expect(space.names()).toEqual(['a.md']);
    expect(space.kept).toMatchObject([{ path: 'a.md', before: { kind: 'absent' } }]);
  });

  it('replaces a file only when told to, and keeps its mode and its old content', async () => {
    using space = new TestWorkspace({ a: 'old' });
    chmodSync(space.at('a'), 0o750);
    expect(await space.run('fs.write', { path: 'a', content: 'new' })).toBe(
      'TOOL_FAILED: `a` is there already',
    );
    expect(await space.run('fs.write', { path: 'a', content: 'newer', mode: 'replace' })).toBe(
      'wrote `a`; 5 bytes, before 3\n',
    );
    expect(space.read('a')).toBe('newer');
    expect(statSync(space.at('a')).mode & 0o7777).toBe(0o750);
    expect(space.kept).toEqual([
      {
        path: 'a',
        before: {
          kind: 'file',
          sha256: 'cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4',
          bytes: Buffer.from('old'),
          mode: 0o750,
        },
        after: {
          kind: 'file',
          sha256: '804f51f71254c4081e37e7c887073560f4a6fa6cdad202e9ac67e032c43ed1e1',
          mode: 0o750,
        },
      },
    ]);
  });

  it('appends, and makes the file when there is none', async () => {
    using space = new TestWorkspace({ a: 'one\n' });
    await space.run('fs.write', { path: 'a', content: 'two\n', mode: 'append' });
    await space.run('fs.write', { path: 'b', content: 'x', mode: 'append' });
    expect([space.read('a'), space.read('b')]).toEqual(['one\ntwo\n', 'x']);
  });

  it('makes folders on the way only when told to', async () => {
    using space = new TestWorkspace();
    const args = { path: 'a/b/c', content: 'x' };
    expect(await space.run('fs.write', args)).toBe('NOT_FOUND: there is no `a`');
    expect(space.names()).toEqual([]);
    await space.run('fs.write', { ...args, folders: 'create' });
    expect(space.read('a/b/c')).toBe('x');
  });

  it('never lends rights by a bit that it keeps', async () => {
    using space = new TestWorkspace({ a: '' });
    chmodSync(space.at('a'), 0o6755);
    await space.run('fs.write', { path: 'a', content: 'x', mode: 'replace' });
    expect(statSync(space.at('a')).mode & 0o7777).toBe(0o755);
  });

  it.each([
    '.git/hooks/pre-commit',
    'sub/.GIT/config',
    '.palyra/x',
    '.vscode/tasks.json',
    '.npmrc',
  ])('refuses %s, which the rules never allow either', async (path) => {
    using space = new TestWorkspace({ [path]: 'old' });
    const args = { path, content: 'new', mode: 'replace' };
    expect(await space.run('fs.write', args)).toMatch(/^SANDBOX_SCOPE_DENIED: /);
    expect(space.read(path)).toBe('old');
    expect(space.kept).toEqual([]);
  });

  it('writes a file that usually holds secrets: whether it may is for the rules to say', async () => {
    using space = new TestWorkspace({ '.env': 'old' });
    const args = { path: '.env', content: 'new', mode: 'replace' };
    expect(await space.run('fs.write', args)).toContain('wrote `.env`');
    expect(space.kept).toMatchObject([{ path: '.env', before: { bytes: Buffer.from('old') } }]);
  });

  it('refuses the inside of a repository that has another name', async () => {
    using space = new TestWorkspace({ 'x/HEAD': '', 'x/objects/a': '', 'x/refs/a': '' });
    for (const path of ['x/config', 'x/hooks/post-update']) {
      expect(await space.run('fs.write', { path, content: '', folders: 'create' })).toContain(
        'is the inside of a repository',
      );
    }
    expect(space.names()).not.toContain('x/hooks');
  });

  it('refuses links, pipes and folders in place of the file, and links on the way', async () => {
    using space = new TestWorkspace({ 'real/a': 'old' });
    writeFileSync(join(space.root, 'outside'), 'old');
    symlinkSync(join(space.root, 'outside'), space.at('link'));
    symlinkSync(join(space.root, 'not-there'), space.at('dangling'));
    symlinkSync(space.root, space.at('folder'));
    execFileSync('mkfifo', [space.at('pipe')]);
    for (const path of ['link', 'dangling', 'folder/outside', 'folder/new', 'pipe', 'real']) {
      for (const mode of ['create', 'replace', 'append']) {
        const args = { path, content: 'new', mode, folders: 'create' };
        expect(await space.run('fs.write', args)).toMatch(/^(SANDBOX_SCOPE_DENIED|TOOL_FAILED): /);
      }
    }
    expect(readlinkSync(space.at('dangling'))).toBe(join(space.root, 'not-there'));
    expect(space.names()).toEqual(['dangling', 'folder', 'link', 'pipe', 'real', 'real/a']);
  });

  it('leaves the other name of a file with two as it was', async () => {
    using space = new TestWorkspace({ a: 'old' });
    linkSync(space.at('a'), space.at('b'));
    await space.run('fs.write', { path: 'a', content: 'new', mode: 'replace' });
    expect([space.read('a'), space.read('b')]).toEqual(['new', 'old']);
  });

  it('refuses a file that is too large to be kept, and one that is write-protected', async () => {
    using space = new TestWorkspace({ huge: '', fixed: 'old' });
    truncateSync(space.at('huge'), 2 ** 40);
    chmodSync(space.at('fixed'), 0o444);
    const replace = { content: 'x', mode: 'replace' };
    expect(await space.run('fs.write', { path: 'huge', ...replace })).toContain('is larger than');
    expect(await space.run('fs.write', { path: 'fixed', ...replace })).toContain('write-protected');
  });

  it('writes nothing when the old content cannot be kept', async () => {
    using space = new TestWorkspace({ a: 'old' });
    const keep = () => Promise.reject(new Error('disk on fire'));
    space.hands = { ...space.hands, undo: { keep } };
    const args = { path: 'a', content: 'new', mode: 'replace' };
    expect(await space.run('fs.write', args)).toBe('UNEXPECTED: unexpected failure');
    expect(space.read('a')).toBe('old');
    expect(space.names()).toEqual(['a']);
  });

  it('refuses when somebody writes the file between reading and replacing it', async () => {
    using space = new TestWorkspace({ a: 'old' });
    const keep = async () => writeFileSync(space.at('a'), 'own');
    space.hands = { ...space.hands, undo: { keep } };
    const args = { path: 'a', content: 'new', mode: 'replace' };
    expect(await space.run('fs.write', args)).toMatch(/^CONFLICT: /);
    expect(space.read('a')).toBe('own');
    expect(space.names()).toEqual(['a']);
  });

  it('takes made folders back when somebody takes the name meanwhile', async () => {
    using space = new TestWorkspace();
    const controller = new AbortController();
    const keep = async () => controller.abort();
    space.hands = { ...space.hands, undo: { keep } };
    const args = { path: 'a/b/c', content: 'x', folders: 'create' };
    expect(await space.run('fs.write', args, controller.signal)).toMatch(/^CANCELLED: /);
    expect(space.names()).toEqual([]);
  });

  it('lets exactly one of two writers win when both saw the same file', async () => {
    using space = new TestWorkspace({ a: 'old' });
    const contents = Array.from({ length: 8 }, (_, place) => `writer ${place}`);
    const outputs = await Promise.all(
      contents.map((content) => space.run('fs.write', { path: 'a', content, mode: 'replace' })),
    );
    const winners = outputs.filter((output) => output.startsWith('wrote'));
    expect(winners).toHaveLength(1);
    expect(outputs.filter((output) => output.startsWith('CONFLICT'))).toHaveLength(7);
    expect(space.read('a')).toBe(contents[outputs.indexOf(winners[0] ?? '')]);
    expect(space.names()).toEqual(['a']);
  });

  it.runIf(isRoot)('gives what root makes to the owner of the workspace', async () => {
    using space = new TestWorkspace({ a: 'x' });
    chownSync(space.path, 1000, 1001);
    chownSync(space.at('a'), 1000, 1005);
    space.reopen();
    await space.run('fs.write', { path: 'b/c', content: 'x', folders: 'create' });
    await space.run('fs.write', { path: 'a', content: 'y', mode: 'replace' });
    const ids = ['b', 'b/c', 'a'].map((name) => statSync(space.at(name)));
    expect(ids.map(({ uid, gid }) => [uid, gid])).toEqual([
      [1000, 1001],
      [1000, 1001],
      [1000, 1005],
    ]);
    mkdirSync(space.at('of-root'), { mode: 0o755 });
    expect(await space.run('fs.write', { path: 'of-root/x', content: '' })).toContain(
      'may not be written by the owner',
    );
  });
});

describe('undo', () => {
  it('brings the old content and mode back, and can be undone itself', async () => {
    using space = new TestWorkspace({ a: 'old' });
    chmodSync(space.at('a'), 0o700);
    await space.run('fs.write', { path: 'a', content: 'new', mode: 'replace' });
    const [first] = space.kept;
    if (first === undefined) throw new TypeError('nothing was kept');
    expect(await restore(first, space.hands, signal)).toMatchObject({ kind: 'succeeded' });
    expect(space.read('a')).toBe('old');
    expect(statSync(space.at('a')).mode & 0o777).toBe(0o700);
    const second = space.kept.at(-1);
    if (second === undefined) throw new TypeError('nothing was kept');
    expect(await restore(second, space.hands, signal)).toMatchObject({ kind: 'succeeded' });
    expect(space.read('a')).toBe('new');
  });

  it('removes what was made', async () => {
    using space = new TestWorkspace();
    await space.run('fs.write', { path: 'a', content: 'new' });
    for (const kept of space.kept.slice()) await restore(kept, space.hands, signal);
    expect(space.names()).toEqual([]);
  });

  it('refuses when the file was changed or removed since', async () => {
    using space = new TestWorkspace({ a: 'old' });
    await space.run('fs.write', { path: 'a', content: 'new', mode: 'replace' });
    space.write('a', 'own work');
    const [kept] = space.kept;
    if (kept === undefined) throw new TypeError('nothing was kept');
    const output = await restore(kept, space.hands, signal);
    expect(output).toMatchObject({ kind: 'failed', error: { code: 'CONFLICT' } });
    expect(space.read('a')).toBe('own work');
  });

  it('refuses what was kept and is damaged', async () => {
    using space = new TestWorkspace({ a: 'old' });
    await space.run('fs.write', { path: 'a', content: 'new', mode: 'replace' });
    const [kept] = space.kept;
    if (kept?.before.kind !== 'file') throw new TypeError('nothing was kept');
    const damaged = { ...kept, before: { ...kept.before, bytes: Buffer.from('bad') } };
    expect(await restore(damaged, space.hands, signal)).toMatchObject({ kind: 'failed' });
    expect(space.read('a')).toBe('new');
  });
});
