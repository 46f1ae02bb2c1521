import { copyFileSync, existsSync, linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Booth, CANARY, type Ended, KINDS } from './booth.fixture.ts';

describe.each(KINDS)('tier B, started by a %s', (kind) => {
  let booth: Booth;
  beforeAll(async () => {
    booth = await Booth.open(kind);
    booth.put('note.txt', 'a note\n');
  });
  afterAll(() => booth[Symbol.asyncDispose]());

  const refusal = ({ kind: how, fault, stdout }: Ended) => [how, fault?.kind, stdout];
  const DENIED = ['refused', 'InvalidInput', ''];
  const OUTSIDE = ['refused', 'WorkspaceScopeDenied', ''];

  it('runs a plain program on a file of the workspace', async () => {
    const ended = await booth.run({ executable: 'cat', arguments: ['note.txt'] });
    expect([ended.kind, ended.code, ended.stdout]).toEqual(['exited', 0, 'a note\n']);
  });

  it.each([
    'sh',
    'bash',
    '/bin/sh',
    '/usr/bin/dash',
    'perl',
    'env',
    'xargs',
    'find',
    'awk',
    'tar',
    'git',
    'ssh',
    'make',
    'npm',
    'busybox',
    'toybox',
    'python3',
    'python3.11',
    'node20',
    'perl5.36',
    'SH',
    'Bash',
    'sh ',
    'bash\t',
    'sh.exe',
    '/proc/self/exe',
    'node',
    '/proc/self/root/bin/sh',
    '/proc/1/root/bin/sh',
    '/usr/bin/../bin/sh',
    '//bin//sh',
    '/lib64/ld-linux-x86-64.so.2',
    '/lib/ld-linux-aarch64.so.1',
    'nohup',
    'setpriv',
    'bwrap',
  ])('does not start %j', async (executable) => {
    const ended = await booth.run({ executable, arguments: ['-c', 'echo broken'] });
    expect(ended.kind).toBe('refused');
    expect(ended.stdout).toBe('');
  });

  it('knows a shell behind a link, a hard link of it, and a copy', async () => {
    symlinkSync('/bin/sh', join(booth.workspace, 'linked'));
    copyFileSync('/bin/dash', join(booth.workspace, 'copied'));
    linkSync(join(booth.workspace, 'copied'), join(booth.workspace, 'again'));
    for (const name of ['linked', 'copied', 'again']) {
      const ended = await booth.run({ executable: join(booth.workspace, name) });
      expect(refusal(ended)).toEqual(DENIED);
      expect(ended.fault?.reason).toContain('is a shell');
    }
  });

  it('knows a shell that is called like a program of the list', async () => {
    symlinkSync('/bin/sh', join(booth.workspace, 'cat'));
    const ended = await booth.run({ executable: './cat', arguments: ['-c', 'echo broken'] });
    expect(ended.kind).toBe('refused');
    const absolute = await booth.run({ executable: join(booth.workspace, 'cat') });
    expect(refusal(absolute)).toEqual(DENIED);
  });

  it('does not start what a script of the workspace would be run by', async () => {
    booth.put('script', '#!/bin/sh\necho broken\n', 0o755);
    expect(refusal(await booth.run({ executable: './script' }))).toEqual(DENIED);
    booth.put('by-env', '#!/usr/bin/env python3\n', 0o755);
    expect(refusal(await booth.run({ executable: './by-env' }))).toEqual(DENIED);
  });

  it('does not start a program of the workspace, however plain', async () => {
    copyFileSync('/bin/cat', join(booth.workspace, 'plain'));
    const ended = await booth.run({ executable: './plain', arguments: ['note.txt'] });
    expect(refusal(ended)).toEqual(DENIED);
  });

  it('drops variables that load code, and passes none that nobody listed', async () => {
    const environment = {
      LD_PRELOAD: '/x.so',
      NODE_OPTIONS: '--import=/x',
      GIT_SSH_COMMAND: 'x',
      BASH_ENV: 'x',
      PYTHONSTARTUP: 'x',
      HTTPS_PROXY: 'x',
      MINE: 'x',
      LC_ALL: 'C',
    };
    await using open = await Booth.open(kind, {
      rules: { allowed: [], trusted: ['printenv', 'env'] },
    });
    const ended = await open.run({ executable: 'env', environment });
    const names = ended.stdout.split('\n').flatMap((line) => line.split('=')[0] ?? []);
    expect(
      names.filter((name) => name !== '' && !['PWD', 'OLDPWD', 'SHLVL'].includes(name)).toSorted(),
    ).toEqual(['HOME', 'LANG', 'LC_ALL', 'PATH', 'TERM', 'TMPDIR']);
  });

  it.each([
    ['--file=/etc/hostname'],
    ['@/etc/hostname'],
    ['--data=@/etc/hostname'],
    ['file:///etc/hostname'],
    ['FILE:/etc/hostname'],
    ['file://localhost/etc/hostname'],
    ['file:///%65tc/hostname'],
    ['../outside.txt'],
    ['./a/../../outside.txt'],
    ['..'],
    ['-f../outside.txt'],
    ['-vI/etc'],
    ['a:/etc'],
    ['a,/etc'],
    ['~/.ssh/id_rsa'],
    ['~root'],
    ['/proc/self/root/etc/hostname'],
    ['/proc/self/cwd/../outside.txt'],
    ['%2e%2e/outside.txt'],
    ['/dev/sda'],
    ['https://a.example/../../../etc'],
    ['x\n/etc/hostname'],
  ])('refuses the word %j', async (word) => {
    expect(refusal(await booth.run({ executable: 'cat', arguments: [word] }))).toEqual(OUTSIDE);
  });

  it('refuses links in the workspace that lead out of it, wherever they stand in a word', async () => {
    symlinkSync('../outside.txt', join(booth.workspace, 'leak'));
    symlinkSync(booth.folder, join(booth.workspace, 'up'));
    symlinkSync('leak', join(booth.workspace, 'twice'));
    symlinkSync('/proc/self/cwd', join(booth.workspace, 'magic'));
    symlinkSync('round', join(booth.workspace, 'round'));
    const words = [
      'leak',
      './leak',
      'up/outside.txt',
      'twice',
      '--x=leak',
      '-fleak',
      '@leak',
      'a:leak',
    ];
    for (const word of [...words, 'magic/note.txt', 'round', `${booth.workspace}/leak`]) {
      const ended = await booth.run({ executable: 'cat', arguments: [word] });
      expect([word, ...refusal(ended)]).toEqual([word, ...OUTSIDE]);
      expect(ended.stdout).not.toContain(CANARY);
    }
  });

  it('takes words that only look odd', async () => {
    symlinkSync('note.txt', join(booth.workspace, 'inner'));
    const words = ['-n', 'inner', `${booth.workspace}/note.txt`, './inner', '/dev/null'];
    const ended = await booth.run({ executable: 'cat', arguments: words });
    expect([ended.code, ended.stdout.split('\n').length]).toEqual([0, 4]);
    const names = ["it's", '$(id)', '`id`', '"', ';', '--bind', '*', '\\n', 'ž'];
    const said = await booth.run({ executable: 'printf', arguments: ['%s|', ...names] });
    expect(said.stdout).toBe(`${names.join('|')}|`);
  });

  it('refuses a NUL, a word of a megabyte and a hundred thousand words cleanly', async () => {
    const words = [['a\0b'], ['x'.repeat(1024 * 1024)], Array.from({ length: 100_000 }, () => 'x')];
    for (const list of words) {
      expect(refusal(await booth.run({ executable: 'echo', arguments: list }))).toEqual(DENIED);
    }
  });

  it('refuses words that hold more paths than can be checked', async () => {
    const word = 'a/../'.repeat(20_000);
    booth.makeFolder(join(booth.workspace, 'a'));
    const ended = await booth.run({
      executable: 'echo',
      arguments: ['a/../'.repeat(800), word],
    });
    expect(ended.kind).toBe('exited');
    const many = Array.from({ length: 30_000 }, (_, place) => `a/../a/../note${place}`);
    expect(refusal(await booth.run({ executable: 'echo', arguments: many }))).toEqual(DENIED);
  });

  it('refuses a folder outside, and one that a link leads to', async () => {
    for (const directory of ['..', '../workspace', '/etc', 'up', 'missing']) {
      expect(refusal(await booth.run({ executable: 'pwd', directory }))).toEqual(OUTSIDE);
    }
  });

  it('refuses strict egress instead of pretending it', async () => {
    const ended = await booth.run({
      executable: 'true',
      egress: { mode: 'strict', hosts: [], secrets: [] },
    });
    expect(ended.fault?.kind).toBe('EgressDenied');
  });

  it('tells a missing program, a folder and a file that is none apart', async () => {
    const reasons = [];
    booth.put('flat', 'no program', 0o755);
    for (const executable of ['no-such-program', '/usr/bin', './note.txt', './flat']) {
      const { fault } = await booth.run({ executable });
      reasons.push(fault?.reason.replace(/^.*` /, ''));
    }
    expect(reasons).toEqual([
      'is not there',
      'is a folder',
      'is not executable',
      'is neither a program of this machine nor a script',
    ]);
  });

  it('does not start a set-id program', async () => {
    const setId = ['/usr/bin/passwd', '/usr/bin/chsh', '/usr/bin/mount'].find((path) =>
      existsSync(path),
    );
    if (setId === undefined) return;
    expect((await booth.run({ executable: setId })).kind).toBe('refused');
  });
});
