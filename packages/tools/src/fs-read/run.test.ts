import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../workspace/place.ts';
import { TestWorkspace } from '../workspace/workspace.fixture.ts';

const isRoot = process.getuid?.() === 0;

describe('fs.read', () => {
  it('gives the lines after one line of its own', async () => {
    using space = new TestWorkspace({ 'docs/a.md': 'one\ntwo\r\nthree' });
    expect(await space.run('fs.read', { path: 'docs/a.md' })).toBe(
      'lines 1 to 3; the end of the file\none\ntwo\r\nthree',
    );
  });

  it.each([
    [{ first_line: 2, max_lines: 1 }, 'lines 2 to 2; read on with `first_line` 3\nb\n'],
    [{ first_line: 3 }, 'lines 3 to 3; the end of the file\nc\n'],
    [{ max_lines: 3 }, 'lines 1 to 3; the end of the file\na\nb\nc\n'],
    [{ first_line: 4 }, 'TOOL_FAILED: `a` has 3 lines, so none at 4'],
  ])('takes %j', async (range, output) => {
    using space = new TestWorkspace({ a: 'a\nb\nc\n' });
    expect(await space.run('fs.read', { path: 'a', ...range })).toBe(output);
  });

  it('says that a file is empty', async () => {
    using space = new TestWorkspace({ a: '' });
    expect(await space.run('fs.read', { path: 'a' })).toBe('the file is empty\n');
  });

  it('ends an answer that is full after a whole line, and reads on from there', async () => {
    using space = new TestWorkspace({ a: 'aaaa\nbbbb\ncccc\n' }, { outputBytes: 12 });
    expect(await space.run('fs.read', { path: 'a' })).toBe(
      'lines 1 to 2; read on with `first_line` 3\naaaa\nbbbb\n',
    );
  });

  it('cuts a line that is longer than an answer', async () => {
    using space = new TestWorkspace({ a: `${'x'.repeat(100)}\n` }, { outputBytes: 10 });
    expect(await space.run('fs.read', { path: 'a' })).toBe(
      'lines 1 to 1; the line is longer than an answer and cut here; ' +
        'read on with `first_line` 1 and `offset` 10\nxxxxxxxxxx',
    );
  });

  it.each([
    [
      { first_line: 2, offset: 4 },
      'lines 2 to 2, from byte 4 of line 2; the line is longer than an answer and cut here; ' +
        'read on with `first_line` 2 and `offset` 12\nefghijkl',
    ],
    [
      { first_line: 2, offset: 12 },
      'lines 2 to 3, from byte 12 of line 2; read on with `first_line` 4\nmno\nz\n',
    ],
    [
      { first_line: 2, offset: 12, max_lines: 1 },
      'lines 2 to 2, from byte 12 of line 2; read on with `first_line` 3\nmno\n',
    ],
    [
      { first_line: 2, offset: 15, max_lines: 1 },
      'lines 2 to 2, from byte 15 of line 2; read on with `first_line` 3\n\n',
    ],
    [{ first_line: 2, offset: 16 }, 'TOOL_FAILED: line 2 of `a` has 16 bytes, so none at 16'],
    [{ first_line: 2, offset: 99 }, 'TOOL_FAILED: line 2 of `a` has 16 bytes, so none at 99'],
    [{ first_line: 4, offset: 2 }, 'lines 4 to 4, from byte 2 of line 4; the end of the file\nst'],
    [{ first_line: 4, offset: 4 }, 'TOOL_FAILED: line 4 of `a` has 4 bytes, so none at 4'],
    [{ first_line: 5, offset: 1 }, 'TOOL_FAILED: `a` has 3 lines, so none at 5'],
  ])('reads on inside of a line with %j', async (place, output) => {
    using space = new TestWorkspace({ a: 'a\nabcdefghijklmno\nz\nlast' }, { outputBytes: 8 });
    expect(await space.run('fs.read', { path: 'a', ...place })).toBe(output);
  });

  it('gives all of a line of 3 MB in pages that lead from one to the next', async () => {
    const line = 'grüße €'.repeat(300_000);
    using space = new TestWorkspace({ a: `first\n${line}\nlast\n` });
    let told = '';
    let next: Record<string, number> | undefined = { first_line: 2 };
    while (next !== undefined) {
      const page: string = await space.run('fs.read', { path: 'a', ...next });
      const head = page.slice(0, page.indexOf('\n'));
      expect(head).not.toContain('UTF-8');
      told += page.slice(head.length + 1);
      const way = /`first_line` (\d+)(?: and `offset` (\d+))?/.exec(head);
      next = way === null ? undefined : { first_line: Number(way[1]) };
      if (next !== undefined && way?.[2] !== undefined) next['offset'] = Number(way[2]);
    }
    expect(told === `${line}\nlast\n`).toBe(true);
  });

  it('finds a line behind several pieces', async () => {
    const lines = Array.from({ length: 60_000 }, (_, place) => `line ${place + 1}`);
    using space = new TestWorkspace({ a: lines.join('\n') });
    expect(await space.run('fs.read', { path: 'a', first_line: 59_999, max_lines: 1 })).toBe(
      'lines 59999 to 59999; read on with `first_line` 60000\nline 59999\n',
    );
  });

  it('reads an absolute path of the workspace, and none beside it', async () => {
    using space = new TestWorkspace({ a: 'x' });
    expect(await space.run('fs.read', { path: space.at('a') })).toContain('\nx');
    mkdirSync(`${space.path}-2`);
    writeFileSync(join(`${space.path}-2`, 'a'), 'y');
    const page = { first_line: 1, max_lines: 10 };
    for (const path of [join(`${space.path}-2`, 'a'), '/etc/passwd']) {
      await expect(space.run('fs.read', { path })).rejects.toThrow('lies outside the workspace');
      expect(await space.runAnyway('fs.read', { path, ...page })).toBe(
        `SANDBOX_SCOPE_DENIED: \`${path}\` lies outside the workspace`,
      );
    }
  });

  it('says when not all is UTF-8, and refuses what is no text', async () => {
    using space = new TestWorkspace();
    space.write('latin', Buffer.from([0x61, 0xe9, 0x0a]));
    space.write('binary', Buffer.from([0x7f, 0x45, 0x00, 0x01]));
    expect(await space.run('fs.read', { path: 'latin' })).toContain('not all of it is UTF-8');
    expect(await space.run('fs.read', { path: 'binary' })).toBe(
      'TOOL_FAILED: `binary` is not a text',
    );
  });

  it('takes a huge file for what it is without reading it all', async () => {
    using space = new TestWorkspace({ sparse: 'text\n', zeros: '' }, { scanBytes: 1_000_000 });
    truncateSync(space.at('sparse'), 2 ** 40);
    truncateSync(space.at('zeros'), 2 ** 40);
    expect(await space.run('fs.read', { path: 'zeros' })).toContain('is not a text');
    expect(await space.run('fs.read', { path: 'sparse' })).toContain('is not a text');
    space.write('long', 'x\n'.repeat(5000));
    truncateSync(space.at('long'), 2 ** 40);
    expect(await space.run('fs.read', { path: 'long', first_line: 6000 })).toBe(
      'TOOL_FAILED: `long` is too large to find that line in',
    );
  });

  it.each(['.env', 'deep/.SSH/config', 'a.pem', 'credentials/x'])(
    'reads %s when somebody names it: whether they may is for the rules to say',
    async (path) => {
      using space = new TestWorkspace({ [path]: 'secret' });
      expect(await space.run('fs.read', { path })).toContain('\nsecret');
    },
  );

  it('refuses a draft of ours by its name, whether it is there or not', async () => {
    using space = new TestWorkspace({ '.palyra-draft-1': 'half' });
    for (const path of ['.palyra-draft-1', 'a/.Palyra-Draft-2']) {
      expect(await space.run('fs.read', { path })).toBe(
        `SANDBOX_SCOPE_DENIED: \`${path}\` is a draft of the gateway`,
      );
    }
  });

  it.each(['../outside', 'a/../../outside', 'a\0b'])(
    'refuses %j also when no manifest has read it',
    async (path) => {
      using space = new TestWorkspace({ a: 'x' });
      writeFileSync(join(space.root, 'outside'), 'secret');
      const args = { path, first_line: 1, max_lines: 1 };
      expect(await space.runAnyway('fs.read', args)).toMatch(/^TOOL_ARGUMENTS_INVALID: /);
      expect(() => namesOf(space.hands.workspace, `${path}/`)).toThrow('is not in one spelling');
    },
  );

  it('refuses links, wherever on the way they are', async () => {
    using space = new TestWorkspace({ 'real/a': 'x' });
    writeFileSync(join(space.root, 'outside'), 'secret');
    symlinkSync(join(space.root, 'outside'), space.at('link'));
    symlinkSync('real', space.at('folder'));
    symlinkSync('a', space.at('real/inner'));
    expect(await space.run('fs.read', { path: 'link' })).toBe(
      'SANDBOX_SCOPE_DENIED: `link` is a symbolic link',
    );
    expect(await space.run('fs.read', { path: 'real/inner' })).toContain('is a symbolic link');
    expect(await space.run('fs.read', { path: 'folder/a' })).toMatch(/^SANDBOX_SCOPE_DENIED: /);
  });

  it('refuses folders, pipes and sockets without waiting for anybody', async () => {
    using space = new TestWorkspace({ 'folder/a': 'x' });
    execFileSync('mkfifo', [space.at('pipe')]);
    const server = createServer().listen(space.at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await space.run('fs.read', { path: 'folder' })).toContain('is a folder');
    expect(await space.run('fs.read', { path: 'pipe' })).toContain('is a pipe, a socket');
    expect(await space.run('fs.read', { path: 'socket' })).toContain('is a pipe, a socket');
    server.close();
  });

  it('refuses the folders of the gateway, whatever they are called', async () => {
    using space = new TestWorkspace({ 'state/journal': 'x' });
    expect(await space.run('fs.read', { path: 'state/journal' })).toBe(
      'SANDBOX_SCOPE_DENIED: `state` belongs to the gateway',
    );
  });

  it.runIf(isRoot)('lends no right of root to an agent', async () => {
    using space = new TestWorkspace({ own: 'x', 'closed/a': 'x', theirs: 'secret', device: '' });
    for (const name of ['', 'own', 'closed', 'closed/a']) chownSync(space.at(name), 1000, 1000);
    chmodSync(space.at('theirs'), 0o600);
    chmodSync(space.at('closed'), 0o000);
    using other = new TestWorkspace();
    chownSync(other.path, 1000, 1000);
    writeFileSync(join(other.root, 'shadow'), 'secret', { mode: 0o644 });
    linkSync(join(other.root, 'shadow'), other.at('linked'));
    execFileSync('mknod', [other.at('null'), 'c', '1', '3']);
    space.reopen();
    other.reopen();
    expect(await space.run('fs.read', { path: 'own' })).toContain('\nx');
    expect(await space.run('fs.read', { path: 'theirs' })).toContain('may not be read');
    expect(await space.run('fs.read', { path: 'closed/a' })).toContain('may not be entered');
    expect(await other.run('fs.read', { path: 'linked' })).toContain('is a second name');
    expect(await other.run('fs.read', { path: 'null' })).toContain('is a pipe, a socket');
  });

  it('says that there is none', async () => {
    using space = new TestWorkspace();
    expect(await space.run('fs.read', { path: 'no/such' })).toBe('NOT_FOUND: there is no `no`');
    expect(await space.run('fs.read', { path: 'such' })).toBe('NOT_FOUND: there is no `such`');
  });

  it('is cancelled before it starts', async () => {
    using space = new TestWorkspace({ a: 'x' });
    expect(await space.run('fs.read', { path: 'a' }, AbortSignal.abort())).toBe(
      'CANCELLED: the call was cancelled',
    );
  });
});
