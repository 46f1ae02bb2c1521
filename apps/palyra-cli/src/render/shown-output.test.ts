import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { ShownOutput } from './shown-output.ts';

function shown(...pieces: readonly string[]) {
  const { terminal, stdout } = recordedTerminal();
  const output = new ShownOutput(terminal, '');
  for (const piece of pieces) output.feed(piece);
  output.close();
  return { lines: stdout().trimEnd().split('\n'), isCut: output.isCut };
}

describe('what is shown of an output', () => {
  it('is all of it when it is short', () => {
    expect(shown('a\nb', '\nc\n')).toEqual({ lines: ['│ a', '│ b', '│ c'], isCut: false });
    expect(shown('x\n'.repeat(40)).isCut).toBe(false);
  });

  it('is at most 40 lines, in one piece or in many', () => {
    const whole = shown('x\n'.repeat(500));
    expect(whole).toEqual({ lines: Array.from({ length: 40 }, () => '│ x'), isCut: true });
    expect(shown(...Array.from({ length: 500 }, () => 'x\n'))).toEqual(whole);
  });

  it('is at most 4000 characters', () => {
    const { lines, isCut } = shown('x'.repeat(3000), 'x'.repeat(3000));
    expect({ length: lines.join('').length, isCut }).toEqual({ length: 4002, isCut: true });
  });
});
