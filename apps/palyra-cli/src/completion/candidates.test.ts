import { describe, expect, it } from 'vitest';
import { COMMANDS, GROUPS } from '../catalogue.ts';
import { complete } from './candidates.ts';

const grammar = { commands: COMMANDS, groups: GROUPS };
const wordsFor = (...words: readonly string[]) =>
  complete(words, grammar).candidates.map(({ word }) => word);

describe('completion', () => {
  it('offers commands first, without the hidden ones', () => {
    expect(wordsFor('')).toContain('journal');
    expect(wordsFor('')).not.toContain('complete');
    expect(wordsFor('r')).toEqual(['runs', 'run']);
  });

  it('offers the commands of a group', () => {
    expect(wordsFor('runs', '')).toEqual([
      'list',
      'show',
      'cancel',
      'resume',
      'replay',
      'artifact',
      'undo',
    ]);
  });

  it('offers the commands of a group inside a group', () => {
    expect(wordsFor('access', '')).toEqual(['members', 'export']);
    expect(wordsFor('access', 'members', 'r')).toEqual(['role', 'remove']);
    expect(wordsFor('access', 'members', 'role', 'ada', '')).toEqual([
      'operator',
      'admin',
      'owner',
    ]);
  });

  it('offers the gateway before a command, and the commands after its name', () => {
    expect(wordsFor('--g')).toEqual(['--gateway']);
    expect(wordsFor('--gateway', '')).toEqual([]);
    expect(wordsFor('--gateway', 'work', 'st')).toEqual(['status']);
    expect(wordsFor('--gateway=work', 'runs', 'l')).toEqual(['list']);
  });

  it('offers options when one is begun', () => {
    expect(wordsFor('journal', 'tail', '--')).toEqual([
      '--last',
      '--follow',
      '--gateway',
      '--json',
      '--help',
    ]);
  });

  it('offers the values of an argument', () => {
    expect(wordsFor('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('leaves files to the shell', () => {
    expect(complete(['journal', 'verify', ''], grammar).files).toBe('offered');
    expect(complete(['journal', 'export', '-o', 'x'], grammar).files).toBe('offered');
  });

  it('offers nothing where a value that only the person knows comes next', () => {
    const completion = complete(['run', '--session', ''], grammar);
    expect(completion).toEqual({ candidates: [], files: 'none' });
  });

  it('completes what help explains', () => {
    expect(wordsFor('help', 'jou')).toEqual(['journal']);
    expect(wordsFor('help', 'config', 's')).toEqual(['show', 'set']);
  });
});
