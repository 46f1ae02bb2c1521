import { describe, expect, it } from 'vitest';
import { previewChanges } from './preview-changes.ts';
import { TestWorkspace } from './workspace/workspace.fixture.ts';

const NO_END = '\\ No newline at end of file';
const OLD = Array.from({ length: 12 }, (_, place) => `line ${place + 1}\n`).join('');

function preview(space: TestWorkspace, name: string, args: Record<string, string>) {
  const whole = { mode: 'create', folders: 'existing', ...args };
  return previewChanges({ name, arguments: name === 'fs.write' ? whole : args }, space.hands);
}

describe('what a call would change', () => {
  it('is shown as a diff around what differs, and nothing is changed', () => {
    using space = new TestWorkspace({ a: OLD });
    const content = OLD.replace('line 6\n', 'six\n\u200b');
    const shown = preview(space, 'fs.write', { path: 'a', content, mode: 'replace' });
    expect(shown?.diff.split('\n')).toEqual([
      '--- a/a',
      '+++ b/a',
      '@@ -3,8 +3,8 @@',
      ' line 3',
      ' line 4',
      ' line 5',
      '-line 6',
      '-line 7',
      '+six',
      '+\\u{200b}line 7',
      ' line 8',
      ' line 9',
      ' line 10',
    ]);
    expect(shown?.changes).toMatchObject([
      { path: 'a', before: { kind: 'file' }, after: { kind: 'file' } },
    ]);
    expect(space.read('a')).toBe(OLD);
    expect([space.names(), space.kept]).toEqual([['a'], []]);
  });

  it('leaves out what stays the same between two changes', () => {
    using space = new TestWorkspace({ a: OLD });
    const content = `first\n${OLD.replace('line 12\n', 'last\n')}`;
    const shown = preview(space, 'fs.write', { path: 'a', content, mode: 'replace' });
    expect(shown?.diff.split('\n')).toEqual([
      '--- a/a',
      '+++ b/a',
      '@@ -1,3 +1,4 @@',
      '+first',
      ' line 1',
      ' line 2',
      ' line 3',
      '@@ -9,4 +10,4 @@',
      ' line 9',
      ' line 10',
      ' line 11',
      '-line 12',
      '+last',
    ]);
  });

  it.each([
    [
      'new',
      'x\ny',
      'create',
      ['--- /dev/null', '+++ b/new', '@@ -0,0 +1,2 @@', '+x', '+y', NO_END],
    ],
    ['a', 'end\n', 'append', ['--- a/a', '+++ b/a', '@@ -1,1 +1,2 @@', ' one', '+end']],
    ['a', '', 'replace', ['--- a/a', '+++ b/a', '@@ -1,1 +0,0 @@', '-one']],
    ['a', 'one\n', 'replace', ['']],
  ])('of %s by %j with mode %s', (path, content, mode, lines) => {
    using space = new TestWorkspace({ a: 'one\n' });
    expect(preview(space, 'fs.write', { path, content, mode })?.diff.split('\n')).toEqual(lines);
  });

  it('of a patch names every file before and after', () => {
    using space = new TestWorkspace({ a: 'one\n', b: 'two\n' });
    const patch =
      '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\n+eins\n--- a/b\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-two\n';
    const shown = preview(space, 'fs.patch', { patch });
    expect(shown?.changes.map(({ path, after }) => [path, after.kind])).toEqual([
      ['a', 'file'],
      ['b', 'absent'],
    ]);
    expect(shown?.diff).toContain('-one\n+eins');
  });

  it('is refused as the call itself would be, and is nothing for one that only reads', () => {
    using space = new TestWorkspace({ a: 'one\n' });
    expect(() => preview(space, 'fs.write', { path: 'a', content: 'x' })).toThrow('there already');
    expect(() => preview(space, 'fs.patch', { patch: 'x' })).toThrow();
    expect(preview(space, 'fs.read', { path: 'a' })).toBeUndefined();
  });
});
