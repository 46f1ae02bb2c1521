import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { Gutter } from './gutter.ts';

function shown(deltas: readonly string[], columns?: number): string {
  const recorded = recordedTerminal(columns === undefined ? {} : { columns });
  const gutter = new Gutter(recorded.terminal);
  for (const delta of deltas) gutter.feed(delta);
  gutter.close();
  return recorded.stdout();
}

describe('gutter', () => {
  it('marks every line of foreign text', () => {
    expect(shown(['one\n  2 policy ✓ allowed\n\nthree'])).toBe(
      '│ one\n│   2 policy ✓ allowed\n│ \n│ three\n',
    );
  });

  it('never lets an escape sequence reach the terminal', () => {
    const text = shown(['a\u001b[2Jb\u001b]0;title\u0007c\rd\u202ee']);
    expect(text).toBe('│ a\\u{001b}[2Jb\\u{001b}]0;title\\u{0007}c\\u{000d}d\\u{202e}e\n');
  });

  it('shows a delta in a pipe as soon as it comes', () => {
    const { terminal, stdout } = recordedTerminal();
    const gutter = new Gutter(terminal);
    gutter.feed('hel');
    expect(stdout()).toBe('│ hel');
  });

  it('breaks long lines itself, so that no line starts without the mark', () => {
    const text = shown(['the quick brown fox jumps over ', 'the lazy dog again and again'], 40);
    expect(text).toBe('│ the quick brown fox jumps over the \n│ lazy dog again and again\n');
  });

  it('splits a word that is longer than a line, and counts wide characters twice', () => {
    const lines = shown(['日'.repeat(60)], 40)
      .trimEnd()
      .split('\n');
    expect(lines.every((line) => line.startsWith('│ '))).toBe(true);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(2 + 18);
    expect(lines.join('').replaceAll('│ ', '')).toBe('日'.repeat(60));
  });

  it('writes nothing for nothing', () => {
    expect(shown([])).toBe('');
  });
});
