import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

const kinds = (...lines: readonly string[]) =>
  diffLines(lines.join('\n'))
    .map(({ is }) => is)
    .join(' ');

describe('the lines of a diff', () => {
  it('are what the hunk says, however much they look like headers', () => {
    expect(
      kinds(
        'rename from x',
        'rename to y',
        '--- a/x',
        '+++ b/y',
        '@@ -1,3 +1,3 @@',
        ' same',
        '--- a/not-a-header',
        '+++ b/not-a-header',
        '-@@ -1,9 +1,9 @@',
        '+@@ -1,9 +1,9 @@',
        '@@ -9 +9,2 @@ a place',
        ' ',
        '+end',
        String.raw`\ No newline at end of file`,
        '--- a/z',
        '+++ /dev/null',
        '@@ -1,1 +0,0 @@',
        '---',
        '',
      ),
    ).toBe(
      'header header header header place same removed added removed added place same added same header header place removed',
    );
  });

  it('have no header after a hunk without counts', () => {
    expect(kinds('--- x', '+++ x', '@@ new file @@', '+--- a', '+++ b', '--- c')).toBe(
      'header header place added added removed',
    );
  });

  it('are told by their sign where the structure is broken', () => {
    expect(kinds('@@ -1 +1 @@', '-a', '+b', '+++ more', '--- more', '+c')).toBe(
      'place removed added added removed added',
    );
    expect(kinds('x is no text in UTF-8')).toBe('same');
  });

  it('are all there', () => {
    const text = '--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+';
    const shown = diffLines(text).map((line) => line.text);
    expect(shown.join('\n')).toBe(text);
  });
});
