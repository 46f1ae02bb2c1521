import { describe, expect, it } from 'vitest';
import { draftDiff } from './draft-diff.ts';

const file = (name: string, ...lines: readonly string[]) => ({
  name,
  text: lines.map((line) => `${line}\n`).join(''),
});

describe('what a draft would change', () => {
  it('is nothing where nothing is changed', () => {
    expect(draftDiff([file('a', 'x')], [file('a', 'x')])).toBe('');
  });

  it('is told line by line, with what stands around it', () => {
    const many = Array.from({ length: 20 }, (_, place) => `line ${place + 1}`);
    const changed = many.with(9, 'other').toSpliced(10, 0, 'more');
    expect(draftDiff([file('a', ...many)], [file('a', ...changed)])).toBe(
      [
        '--- a',
        '+++ a',
        '@@ -7,7 +7,8 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+other',
        '+more',
        ' line 11',
        ' line 12',
        ' line 13',
        '',
      ].join('\n'),
    );
  });

  it('tells far changes apart and keeps lines that only moved on', () => {
    const many = Array.from({ length: 30 }, (_, place) => String(place));
    const changed = ['first', ...many.slice(0, -1), 'last'];
    const places = draftDiff([file('a', ...many)], [file('a', ...changed)])
      .split('\n')
      .filter((line) => /^(?:@@|[-+][^-+])/.test(line));
    expect(places).toEqual(['@@ -1,3 +1,4 @@', '+first', '@@ -27,4 +28,4 @@', '-29', '+last']);
  });

  it('tells of files that come and go, and of a last line without an end', () => {
    expect(draftDiff([file('old', 'x')], [{ name: 'new', text: 'y' }])).toBe(
      '--- old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n' +
        '--- /dev/null\n+++ new\n@@ -0,0 +1,1 @@\n+y\n\\ No newline at end of file\n',
    );
    expect(draftDiff([{ name: 'a', text: 'y' }], [file('a', 'y')])).toContain(
      '-y\n\\ No newline at end of file\n+y\n',
    );
  });

  it('is shown whole, if not in the fewest lines, where the texts are too large to be matched', () => {
    const one = file('a', ...Array.from({ length: 3_000 }, (_, place) => `a${place}`));
    const other = file('a', ...Array.from({ length: 3_000 }, (_, place) => `b${place}`));
    const lines = draftDiff([one], [other]).split('\n');
    expect(lines[2]).toBe('@@ -1,3000 +1,3000 @@');
    expect(lines).toHaveLength(3 + 6_000 + 1);
  });
});
