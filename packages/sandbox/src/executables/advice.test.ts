import { describe, expect, it } from 'vitest';
import { adviceFor, deniedNames } from './advice.ts';

describe('what is known of a program by its name', () => {
  it.each([
    ['sh', 'shell'],
    ['rbash', 'shell'],
    ['bash-5.2', 'shell'],
    ['bash5', 'shell'],
    ['BASH', 'shell'],
    ['sh ', 'shell'],
    [' sh\t', 'shell'],
    ['cmd.exe', 'shell'],
    ['python3.11', 'interpreter'],
    ['python3.11-dbg', 'interpreter'],
    ['Python', 'interpreter'],
    ['pypy3', 'interpreter'],
    ['node20', 'interpreter'],
    ['nodejs', 'interpreter'],
    ['perl5.36', 'interpreter'],
    ['perl5.36-x86_64-linux-gnu', 'interpreter'],
    ['lua5.4', 'interpreter'],
    ['php8.2', 'interpreter'],
    ['ruby3.1', 'interpreter'],
    ['tclsh8.6', 'interpreter'],
    ['busybox', 'multi-call'],
    ['busybox-static', 'multi-call'],
    ['busybox.nosuid', 'multi-call'],
    ['coreutils', 'multi-call'],
    ['ld-linux-x86-64.so.2', 'loader'],
    ['ld-linux-aarch64.so.1', 'loader'],
    ['ld-musl-x86_64.so.1', 'loader'],
    ['ld.so', 'loader'],
    ['env', 'starter'],
    ['xargs', 'starter'],
    ['find', 'starter'],
    ['mawk', 'starter'],
    ['tar', 'starter'],
    ['git', 'starter'],
    ['git-upload-pack', 'starter'],
    ['ssh', 'starter'],
    ['make', 'starter'],
    ['npm', 'starter'],
    ['gcc-12', 'starter'],
    ['x86_64-linux-gnu-gcc-12', 'starter'],
    ['aarch64-linux-gnu-g++', 'starter'],
    ['m4', 'starter'],
  ])('%j is a %s', (name, kind) => {
    expect(adviceFor(name)?.kind).toBe(kind);
  });

  it.each([
    'cat',
    'ls',
    'sha256sum',
    'md5sum',
    'base64',
    'b2sum',
    'wc',
    'grep',
    'shuf',
    'date',
    '',
  ])('nothing is known against %j', (name) => {
    expect(adviceFor(name)).toBeUndefined();
  });

  it('tells for every name what it is recognised as', () => {
    expect(deniedNames().length).toBeGreaterThan(250);
    for (const advice of deniedNames()) expect(adviceFor(advice.name)).toEqual(advice);
  });
});
