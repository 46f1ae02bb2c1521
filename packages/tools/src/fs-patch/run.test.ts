import {
  chmodSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restore } from '../workspace/restore.ts';
import { TestWorkspace } from '../workspace/workspace.fixture.ts';
import { previewPatch } from './preview.ts';

const signal = new AbortController().signal;

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

const CHANGE = lines('--- a/a', '+++ b/a', '@@ -1,3 +1,3 @@', ' one', '-two', '+TWO', ' three');
const MANY = lines(
  'diff --git a/a b/a',
  'index 1111111..2222222 100644',
  ...CHANGE.trimEnd().split('\n'),
  'diff --git a/new/b b/new/b',
  'new file mode 100644',
  'index 0000000..2222222',
  '--- /dev/null',
  '+++ b/new/b',
  '@@ -0,0 +1,2 @@',
  '+first',
  '+second',
  'diff --git a/gone b/gone',
  'deleted file mode 100644',
  '--- a/gone',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-bye',
  'diff --git a/old b/moved/name',
  'similarity index 90%',
  'rename from old',
  'rename to moved/name',
);
const FILES = { a: 'one\ntwo\nthree\n', gone: 'bye\n', old: 'same\n' };

describe('fs.patch', () => {
  it('changes, makes, deletes and renames files', async () => {
    using space = new TestWorkspace(FILES);
    chmodSync(space.at('old'), 0o755);
    expect(await space.run('fs.patch', { patch: MANY })).toBe(
      lines(
        '4 files changed',
        'change `a`: 1 line added, 1 removed',
        'create `new/b`: 2 lines added, 0 removed',
        'delete `gone`: 0 lines added, 1 removed',
        'rename `moved/name` from `old`: 0 lines added, 0 removed',
      ),
    );
    expect(space.names()).toEqual(['a', 'moved', 'moved/name', 'new', 'new/b']);
    expect(space.read('a')).toBe('one\nTWO\nthree\n');
    expect(space.read('new/b')).toBe('first\nsecond\n');
    expect(space.read('moved/name')).toBe('same\n');
    expect(statSync(space.at('moved/name')).mode & 0o777).toBe(0o755);
  });

  it('is taken back whole by what was kept', async () => {
    using space = new TestWorkspace(FILES);
    await space.run('fs.patch', { patch: MANY });
    for (const kept of [...space.kept].toReversed()) {
      expect(await restore(kept, space.hands, signal)).toMatchObject({ kind: 'succeeded' });
    }
    expect(space.names().filter((name) => name !== 'moved' && name !== 'new')).toEqual([
      'a',
      'gone',
      'old',
    ]);
    expect(['a', 'gone', 'old'].map((name) => space.read(name))).toEqual(Object.values(FILES));
  });

  it.each([
    ['the last file does not fit', { old: 'same\n', gone: 'other\n' }],
    ['a file is missing', { old: 'same\n' }],
    ['a name is taken', { old: 'same\n', gone: 'bye\n', 'new/b': 'there' }],
    ['the name of a new folder is a file', { old: 'same\n', gone: 'bye\n', new: 'a file' }],
  ])('changes nothing when %s', async (_, others) => {
    using space = new TestWorkspace({ a: FILES.a, ...others });
    const before = space.names();
    expect(await space.run('fs.patch', { patch: MANY })).toMatch(/^[A-Z_]+: /);
    expect(space.names()).toEqual(before);
    expect(space.read('a')).toBe(FILES.a);
  });

  it('takes back what was done when a later file is changed meanwhile', async () => {
    using space = new TestWorkspace(FILES);
    let kept = 0;
    const keep = async () => {
      kept += 1;
      if (kept === 4) space.write('old', 'own work\n');
    };
    space.hands = { ...space.hands, undo: { keep } };
    expect(await space.run('fs.patch', { patch: MANY })).toMatch(/^CONFLICT: /);
    expect(space.names()).toEqual(['a', 'gone', 'old']);
    expect(['a', 'gone', 'old'].map((name) => space.read(name))).toEqual([
      FILES.a,
      FILES.gone,
      'own work\n',
    ]);
  });

  it('refuses when a folder on the way is exchanged meanwhile', async () => {
    using space = new TestWorkspace({ 'in/a': FILES.a });
    const outside = join(space.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a'), FILES.a);
    const keep = async () => {
      renameSync(space.at('in'), space.at('was'));
      symlinkSync(outside, space.at('in'));
    };
    space.hands = { ...space.hands, undo: { keep } };
    const patch = CHANGE.replace('a/a', 'a/in/a').replace('b/a', 'b/in/a');
    expect(await space.run('fs.patch', { patch })).toMatch(/^SANDBOX_SCOPE_DENIED: /);
    expect(space.names()).toEqual(['in', 'was', 'was/a']);
    expect(space.read('was/a')).toBe(FILES.a);
    expect(space.read('in/a')).toBe(FILES.a);
  });

  it.each([
    ['one\r\ntwo\r\n', '@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n', 'one\r\nTWO\r\n'],
    ['one\ntwo', '@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+TWO\n', 'one\nTWO\n'],
    ['one\ntwo\n', '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n\\ No newline at end of file\n', 'one\nTWO'],
    ['a\nb\n', '@@ -1,0 +2 @@\n+x\n', 'a\nx\nb\n'],
    ['a\nb\nc\nd\n', '@@ -1 +0,0 @@\n-a\n@@ -4 +3 @@\n-d\n+D\n', 'b\nc\nD\n'],
    ['a\n\nb\n', '@@ -1,3 +1,2 @@\n a\n\n-b\n', 'a\n\n'],
    ['\uFEFFa\n', '@@ -1 +1 @@\n-\uFEFFa\n+\uFEFFb\n', '\uFEFFb\n'],
    ['-- x\n', '@@ -1 +1 @@\n--- x\n+++ y\n', '++ y\n'],
  ])('keeps line ends: %j', async (before, hunks, after) => {
    using space = new TestWorkspace({ a: before });
    await space.run('fs.patch', { patch: `--- a\n+++ a\n${hunks}` });
    expect(space.read('a')).toBe(after);
  });

  it.each([
    ['one\nTWO\nthree\n', 'hunk 1 expects another line 2'],
    ['zero\none\ntwo\nthree\n', 'hunk 1 expects another line 1; its lines start at line 2'],
    ['one\r\ntwo\r\nthree\r\n', 'hunk 1 expects another line 1: only its line end differs'],
    ['one\ntwo\n', 'hunk 1 reaches past the end, which is at line 2'],
    ['one\ntwo\nthree', 'hunk 1 expects another line 3: only its line end differs'],
  ])('fits letter by letter, not %j', async (before, reason) => {
    using space = new TestWorkspace({ a: before });
    expect(await space.run('fs.patch', { patch: CHANGE })).toBe(
      `TOOL_FAILED: the patch of \`a\` does not fit: ${reason}`,
    );
    expect(space.read('a')).toBe(before);
  });

  it('refuses to join a new line to a last one that has no end', async () => {
    using space = new TestWorkspace({ a: 'one' });
    const patch = '--- a\n+++ a\n@@ -1,0 +2 @@\n+two\n';
    expect(await space.run('fs.patch', { patch })).toContain('line 1 would have no end');
  });

  it('deletes only what it shows', async () => {
    using space = new TestWorkspace({ gone: 'bye\nmore\n' });
    const patch = '--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n';
    expect(await space.run('fs.patch', { patch })).toContain('lines that the patch does not show');
  });

  it('makes and deletes files with nothing in them, as git writes it, and shows that', async () => {
    using space = new TestWorkspace({ empty: '', full: 'x\n' });
    const git = (name: string, index: string) => `diff --git a/${name} b/${name}\nindex ${index}\n`;
    const patch = git('new/ä', '0000000..e69de29') + git('empty', 'e69de29..0000000');
    expect(previewPatch({ patch }, space.hands).diff.split('\n')).toEqual([
      '--- /dev/null',
      '+++ b/new/ä',
      '--- a/empty',
      '+++ /dev/null',
    ]);
    expect(await space.run('fs.patch', { patch })).toContain('2 files changed');
    expect(space.names()).toEqual(['full', 'new', 'new/ä']);
    expect(space.read('new/ä')).toBe('');
    expect(await space.run('fs.patch', { patch: git('full', 'e69de29..0000000') })).toContain(
      'lines that the patch does not show',
    );
  });

  it.each(['.git/hooks/x', '.envrc', '.vscode/tasks.json'])('does not write %s', async (path) => {
    using space = new TestWorkspace(FILES);
    const create = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
    const rename = `rename from old\nrename to ${path}\n`;
    for (const patch of [create, rename, `${CHANGE}${create}`]) {
      expect(await space.run('fs.patch', { patch })).toMatch(/^SANDBOX_SCOPE_DENIED: /);
    }
    expect(space.names()).toEqual(['a', 'gone', 'old']);
  });

  it('refuses links, huge files and what is no text in UTF-8', async () => {
    using space = new TestWorkspace({ huge: '', latin: '' });
    symlinkSync('huge', space.at('a'));
    truncateSync(space.at('huge'), 2 ** 40);
    space.write('latin', Buffer.from([0xe9, 0x0a]));
    const of = (name: string) => CHANGE.replace('a/a', `a/${name}`).replace('b/a', `b/${name}`);
    expect(await space.run('fs.patch', { patch: CHANGE })).toContain('is a symbolic link');
    expect(await space.run('fs.patch', { patch: of('huge') })).toContain('is larger than');
    expect(await space.run('fs.patch', { patch: of('latin') })).toContain('is no text in UTF-8');
  });

  it('refuses files that are together larger than one may be', async () => {
    using space = new TestWorkspace({ a: FILES.a, old: 'x'.repeat(90) }, { fileBytes: 100 });
    const patch = `${CHANGE}rename from old\nrename to new\n`;
    expect(await space.run('fs.patch', { patch })).toContain('`old` is larger than 86 bytes');
    expect(space.read('a')).toBe(FILES.a);
  });

  it('leaves nothing when it is cancelled', async () => {
    using space = new TestWorkspace(FILES);
    const controller = new AbortController();
    space.hands = { ...space.hands, undo: { keep: async () => controller.abort() } };
    expect(await space.run('fs.patch', { patch: MANY }, controller.signal)).toMatch(/^CANCELLED: /);
    expect(space.names()).toEqual(['a', 'gone', 'old']);
  });
});

describe('the preview of a patch', () => {
  it('shows what was understood, each character visible, and changes nothing', () => {
    using space = new TestWorkspace({ a: 'one\n' });
    const patch = '--- a\n+++ a\n@@ -1 +1 @@ hidden \n-one\n+o\u202Ene\u001B\n';
    expect(previewPatch({ patch }, space.hands)).toEqual({
      files: [{ kind: 'change', path: 'a', added: 1, removed: 1 }],
      diff: '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\n+o\\u{202e}ne\\u{001b}',
    });
    expect(space.read('a')).toBe('one\n');
    expect(space.kept).toEqual([]);
  });

  it('is refused like the patch', () => {
    using space = new TestWorkspace({ a: 'other\n' });
    expect(() => previewPatch({ patch: CHANGE }, space.hands)).toThrow('does not fit');
  });

  it('shows files that come and go', () => {
    using space = new TestWorkspace(FILES);
    expect(previewPatch({ patch: MANY }, space.hands).diff.split('\n')).toEqual([
      '--- a/a',
      '+++ b/a',
      '@@ -1,3 +1,3 @@',
      ' one',
      '-two',
      '+TWO',
      ' three',
      '--- /dev/null',
      '+++ b/new/b',
      '@@ -0,0 +1,2 @@',
      '+first',
      '+second',
      '--- a/gone',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-bye',
      'rename from old',
      'rename to moved/name',
    ]);
  });
});
