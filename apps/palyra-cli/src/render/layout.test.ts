import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printFields, printTable, wrap } from './layout.ts';

describe('layout', () => {
  it('puts values under one another and continues a long one below itself', () => {
    const { terminal, stdout } = recordedTerminal({ columns: 40 });
    printFields(terminal, [
      ['a', 'short'],
      ['label', 'a value that is longer than there is room for'],
    ]);
    expect(stdout()).toBe(
      '  a      short\n  label  a value that is longer than\n         there is room for\n',
    );
  });

  it('cuts the last column of a table to the terminal and not in a pipe', () => {
    const rows = [['1', 'a prompt that goes on and on and on and on']];
    const looked = recordedTerminal({ columns: 40 });
    printTable(looked.terminal, ['id', 'prompt'], rows);
    expect(looked.stdout()).toBe('id  prompt\n1   a prompt that goes on and on and on…\n');
    const piped = recordedTerminal();
    printTable(piped.terminal, ['id', 'prompt'], rows);
    expect(piped.stdout()).toContain('on and on and on and on\n');
  });

  it('keeps a long word whole, so that it can be copied', () => {
    expect(wrap('see 0123456789abcdef0123456789abcdef now', 20)).toEqual([
      'see',
      '0123456789abcdef0123456789abcdef',
      'now',
    ]);
  });
});
