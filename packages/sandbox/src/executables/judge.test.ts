import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownInterpreters } from './interpreters.ts';
import { type ExecutableRules, checkUnchanged, createJudge } from './judge.ts';
import { identityOf, openExecutable } from './open-executable.ts';

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const interpreters = knownInterpreters({ folders: FOLDERS, files: [process.execPath] });
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-judge-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
function program(name: string, content: string | Buffer): string {
  writeFileSync(at(name), content);
  chmodSync(at(name), 0o755);
  return at(name);
}
/** What was said against it, or that it may run. */
function judged(path: string, rules: Partial<ExecutableRules> = {}): string {
  const judge = createJudge({
    rules: { allowed: [], trusted: [], ...rules },
    interpreters,
    folders: FOLDERS,
  });
  using executable = openExecutable(path, [path]);
  try {
    return `runs, ${judge.judge(executable).advice?.kind ?? 'plain'}`;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*` /, '') : '';
  }
}

describe('what a file really is', () => {
  it('is seen behind links, hard links, copies and other names', () => {
    symlinkSync('/bin/sh', at('link'));
    symlinkSync(at('link'), at('cat'));
    copyFileSync('/bin/bash', at('copy'));
    linkSync(at('copy'), at('ls'));
    const allowed = ['link', 'cat', 'copy', 'ls'].map(at);
    expect(judged(at('link'), { allowed })).toBe('is a shell (dash)');
    expect(judged(at('cat'), { allowed })).toBe('is a shell (dash)');
    expect(judged(at('copy'), { allowed })).toBe('is a shell (bash)');
    expect(judged(at('ls'), { allowed })).toBe('is a shell (bash)');
    expect(judged('/proc/self/exe')).toBe('is an interpreter, or run by one (node)');
    expect(judged('/proc/self/root/bin/sh')).toBe('is a shell (sh)');
  });

  it('is seen in files that are many programs', () => {
    const plain = readFileSync('/bin/true');
    const marked = (mark: string) =>
      Buffer.concat([plain, Buffer.alloc(300_000), Buffer.from(mark)]);
    const box = program('tool', marked('BusyBox v1.36.1 (2023) multi-call binary'));
    const toy = program('toy', marked('https://landley.net/toybox'));
    expect(judged(box, { allowed: [box] })).toBe(
      'is many programs in one, a shell among them (busybox)',
    );
    expect(judged(toy, { allowed: [toy] })).toBe(
      'is many programs in one, a shell among them (toybox)',
    );
  });

  it('is seen in the first line of scripts, and of scripts that run scripts', () => {
    const script = program('first', '#!/bin/sh -e\n');
    const spaced = program('spaced', '#! \t/usr/bin/env python3\n');
    const nested = program('nested', `#!${script}\n`);
    const unknown = program('unknown', '#!/bin/true\n');
    const endless = program('endless', `#!${at('endless')}\n`);
    const relative = program('relative', '#!sh\n');
    const allowed = [script, spaced, nested, unknown, endless, relative];
    expect(judged(script, { allowed })).toBe('is a shell (sh)');
    expect(judged(spaced, { allowed })).toBe('can run other programs (env)');
    expect(judged(nested, { allowed })).toBe('is a shell (sh)');
    expect(judged(unknown, { allowed })).toBe('is an interpreter, or run by one (true)');
    expect(judged(endless, { allowed })).toBe('is a script of a script of a script');
    expect(judged(relative, { allowed })).toBe('names its interpreter by no full path');
  });

  it('is refused when nobody can tell it', () => {
    const text = program('text', 'echo broken\n');
    const windows = program('windows', 'MZ\u0090');
    const empty = program('empty', '');
    for (const path of [text, windows, empty]) {
      expect(judged(path, { allowed: [path], trusted: [path] })).toBe(
        'is neither a program of this machine nor a script',
      );
    }
  });
});

describe('the list of programs', () => {
  it('is needed for everything, by name and by file', () => {
    const copy = program('wc', readFileSync('/bin/wc'));
    expect(judged('/bin/wc')).toBe('is not on the list of programs that may run in tier B');
    expect(judged('/bin/wc', { allowed: ['wc'] })).toBe('runs, plain');
    expect(judged(copy, { allowed: ['wc'] })).toBe(
      'is not on the list of programs that may run in tier B',
    );
    symlinkSync('/bin/wc', at('other'));
    expect(judged(at('other'), { allowed: ['wc'] })).toBe(
      'is not on the list of programs that may run in tier B',
    );
  });

  it('lets interpreters run only where they are trusted by name', () => {
    expect(judged('/bin/sh', { allowed: ['sh'] })).toBe('is a shell (sh)');
    expect(judged('/bin/sh', { trusted: ['sh'] })).toBe('runs, shell');
    expect(judged('/bin/bash', { trusted: ['sh'] })).toBe('is a shell (bash)');
  });
});

describe('a program that is held', () => {
  it('stays the one that was looked at when its name gets another file', () => {
    const path = program('held', readFileSync('/bin/true'));
    using executable = openExecutable(path, [path]);
    renameSync(program('evil', readFileSync('/bin/false')), path);
    using now = openExecutable(path, [path]);
    expect(now.identity.inode).not.toBe(executable.identity.inode);
    expect(identityOf(executable.descriptor).inode).toBe(executable.identity.inode);
  });

  it('is refused when its content changes under its name', () => {
    const path = program('changing', readFileSync('/bin/true'));
    using executable = openExecutable(path, [path]);
    writeFileSync(path, readFileSync('/bin/dash'));
    const now = identityOf(executable.descriptor);
    expect(() => checkUnchanged(executable.identity, now, 'changing')).toThrow(/changed while/);
  });

  it('is none when it runs as its owner, is a folder, or may not be executed', () => {
    const path = program('set-id', readFileSync('/bin/true'));
    chmodSync(path, 0o4755);
    expect(() => openExecutable('set-id', [path])).toThrow(/set-id/);
    chmodSync(path, 0o644);
    expect(() => openExecutable('set-id', [path])).toThrow(/is not executable/);
    expect(() => openExecutable('x', [folder])).toThrow(/is a folder/);
    expect(() => openExecutable('x', [at('nothing')])).toThrow(/is not there/);
  });
});
