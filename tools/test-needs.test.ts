import { describe, expect, it } from 'vitest';
import { type Machine, planNeeds } from './test-needs.ts';

const needed = [
  { program: 'strace', debian: 'strace' },
  { program: 'bwrap', debian: 'bubblewrap' },
];

describe('planNeeds', () => {
  it('does nothing when everything is there', () => {
    expect(planNeeds(needed, machine('none', ['strace', 'bwrap']))).toEqual({ kind: 'nothing' });
  });

  it('installs what is missing, as root or through sudo', () => {
    expect(planNeeds(needed, machine('root', ['strace', 'apt-get']))).toEqual({
      kind: 'install',
      packages: ['bubblewrap'],
      as: [],
    });
    expect(planNeeds(needed, machine('sudo', ['apt-get']))).toEqual({
      kind: 'install',
      packages: ['strace', 'bubblewrap'],
      as: ['sudo', '-n'],
    });
  });

  it('names a package once that brings several programs', () => {
    const two = ['unshare', 'setpriv'].map((program) => ({ program, debian: 'util-linux' }));
    expect(planNeeds(two, machine('none', []))).toEqual({
      kind: 'tell',
      command: 'sudo apt-get install -y util-linux',
    });
  });

  it.each([
    ['without the rights', machine('none', ['apt-get'])],
    ['without apt-get', machine('root', [])],
  ])('names the command %s', (_, here) => {
    expect(planNeeds(needed, here)).toEqual({
      kind: 'tell',
      command: 'sudo apt-get install -y strace bubblewrap',
    });
  });
});

function machine(rights: Machine['rights'], programs: readonly string[]): Machine {
  return { rights, has: (program) => programs.includes(program) };
}
