import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from './apply-hunks.ts';
import { MAX_FILES, readPatch } from './unified-diff.ts';

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';

describe('a patch that is refused', () => {
  it.each([
    ['', 'changes nothing'],
    ['\n\n', 'changes nothing'],
    ['hello', 'has no `---` where a file has to begin, at line 1'],
    [`--- a/../../etc/x\n+++ b/../../etc/x\n${HUNK}`, 'has a path that holds `..`'],
    [`--- /etc/passwd\n+++ /etc/passwd\n${HUNK}`, 'has an absolute path: `/etc/passwd`'],
    [`--- a//etc/x\n+++ b//etc/x\n${HUNK}`, 'has an absolute path: `/etc/x`'],
    [`--- a/./x\n+++ b/./x\n${HUNK}`, 'spells a path as `./x`'],
    [`--- a/x/\n+++ b/x/\n${HUNK}`, 'spells a path as `x/`'],
    [`--- "a/x\n+++ "b/x\n${HUNK}`, 'has a path in quotes that do not end'],
    [`--- "a/\\x"\n+++ "b/\\x"\n${HUNK}`, 'or with an unknown escape, at line 1'],
    [`--- a/x\n+++ "b/\\400"\n${HUNK}`, 'or with an unknown escape, at line 2'],
    [`--- "a/\\303"\n+++ "b/\\303"\n${HUNK}`, 'in quotes that is no text in UTF-8'],
    [`--- "a/x" y\n+++ "b/x" y\n${HUNK}`, 'has words after a path in quotes'],
    [`--- "a/x\\n"\n+++ "b/x\\n"\n${HUNK}`, 'has a path that holds `\\u{000a}`'],
    [`--- "a/..\\057x"\n+++ "b/..\\057x"\n${HUNK}`, 'has a path that holds `..`'],
    [`--- "/etc/x"\n+++ "/etc/x"\n${HUNK}`, 'has an absolute path'],
    [`--- a/x\r\n+++ b/x\r\n${HUNK}`, 'has a path that holds `\\u{000d}`'],
    [`--- a/\u202Ex\n+++ b/\u202Ex\n${HUNK}`, 'has a path that holds `\\u{202e}`'],
    [`--- a/\n+++ b/\n${HUNK}`, 'has a path that is empty'],
    [`--- /dev/null\n+++ /dev/null\n${HUNK}`, 'names no file'],
    [`--- a/x\n+++ b/y\n${HUNK}`, 'has two names'],
    [`rename from a\nrename to b\n--- a/a\n+++ b/c\n${HUNK}`, 'names other files in `rename`'],
    [`rename from a\nrename to b\n--- /dev/null\n+++ b/b\n${HUNK}`, 'names other files'],
    ['rename from a\n', 'has no `---` where a file has to begin'],
    ['rename to a\nrename from /dev/null\n', 'has an absolute path'],
    [`--- a/x\n@@ -1 +1 @@\n-a\n+b\n`, 'has no `+++`'],
    ['--- a/x\n+++ b/x\n', 'has no hunk'],
    [`--- a/x\n+++ b/x\n${HUNK}--- a/x\n+++ b/x\n${HUNK}`, 'names `x` a second time'],
    [`--- a/x\n+++ b/x\n${HUNK}rename from y\nrename to x\n`, 'names `x` a second time'],
    ['--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n', 'ends before the lines that it announced'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n', 'has other lines than it announced'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n', 'has more lines than it announced'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n', 'changes nothing'],
    ['--- a/x\n+++ b/x\n@@ -0,0 +0,0 @@\n', 'changes nothing'],
    ['--- a/x\n+++ b/x\n@@ -0 +1 @@\n-a\n+b\n', 'starts at line 0'],
    ['--- a/x\n+++ b/x\n@@ -99999999999 +1 @@\n-a\n+b\n', 'has a malformed header'],
    ['--- a/x\n+++ b/x\n@@ -1,9999999 +1 @@\n-a\n+b\n', 'ends before the lines that it'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\r\n-a\n+b\n', 'has a malformed header'],
    ['--- a/x\n+++ b/x\n@@ -5 +9 @@\n-a\n+b\n', 'starts at a line that does not follow'],
    ['--- a/x\n+++ b/x\n@@ -5 +5 @@\n-a\n+b\n@@ -5 +6 @@\n-a\n+b\n', 'overlaps'],
    ['--- a/x\n+++ b/x\n@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n', 'overlaps'],
    ['diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', 'changes the mode'],
    [`new file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n`, 'something else than'],
    [
      'diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\n',
      'has no `---` where a file has to begin',
    ],
    [
      `diff --git a/y b/y\nindex e69de29..0000000\n--- a/x\n+++ b/x\n${HUNK}`,
      'names another file in `diff --git` than in `---` and `+++`, at line 1',
    ],
    ['diff --git a/x b/y\nnew file mode 100644\nindex 0000000..e69de29\n', 'has no `---`'],
    ['new file mode 100644\nindex 0000000..e69de29\n', 'has no `---`'],
    ['diff --git a/x b/x\nindex e69de29..e69de29\n', 'has no `---`'],
    ['diff --git a/x b/x\nnew file mode 100755\nindex 0000000..e69de29\n', 'something else than'],
    ['diff --git a/../x b/../x\nindex 0000000..e69de29\n', 'has a path that holds `..`'],
    ['diff --git "a/x b/x\nindex 0000000..e69de29\n', 'has a path in quotes that do not end'],
    ['copy from a\ncopy to b\n', 'copies a file'],
    ['diff --git a/x b/x\nGIT binary patch\nliteral 1\n', 'no text'],
  ])('%j', (patch, reason) => {
    expect(readPatch(patch)).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining(reason),
    });
  });

  it('because it has too many files', () => {
    const file = (_: unknown, at: number) => `--- a/f${at}\n+++ b/f${at}\n${HUNK}`;
    const patch = Array.from({ length: MAX_FILES + 1 }, file).join('');
    expect(readPatch(patch)).toMatchObject({ reason: 'changes more than 64 files' });
  });

  it('never is a throw', () => {
    const pieces = fc.constantFrom(
      '--- a/x',
      '+++ b/x',
      '@@ -1 +1 @@',
      '@@ -0,0 +1,2 @@',
      '-a',
      '+b',
      ' c',
      '\\ No newline at end of file',
      'rename from a',
      'rename to b',
      'diff --git a/x b/x',
      'diff --git "a/x" "b/x"',
      '--- "a/\\303\\244"',
      '+++ "b/\\303\\244"',
      'index 0000000..e69de29',
      'index e69de29..0000000',
      '/dev/null',
      '',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), (all) => {
        expect(['read', 'unreadable']).toContain(readPatch(all.join('\n')).kind);
      }),
    );
  });
});

describe('a patch that is taken', () => {
  it('reads paths with and without prefixes, and times after a tab', () => {
    const patch = `--- a/x y\t2026-01-01\n+++ b/x y\t2026-01-02\n${HUNK}\n--- a/b\n+++ a/b\n${HUNK}`;
    expect(readPatch(patch)).toMatchObject({
      kind: 'read',
      value: [
        { kind: 'change', path: 'x y' },
        { kind: 'change', path: 'a/b' },
      ],
    });
  });

  it('reads names as git quotes them', () => {
    const patch = [
      'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"',
      'index 45b983b..bca70f3 100644',
      '--- "a/\\303\\244.txt"',
      '+++ "b/\\303\\244.txt"',
      HUNK.trimEnd(),
      'diff --git a/keep "b/kept \\303\\274 \\"1\\""',
      'similarity index 100%',
      'rename from keep',
      'rename to "kept \\303\\274 \\"1\\""',
      'diff --git a/x y b/x y',
      '--- "x y"\t2026-01-01',
      '+++ "x y"\t2026-01-01',
      HUNK,
    ].join('\n');
    expect(readPatch(patch)).toMatchObject({
      kind: 'read',
      value: [
        { kind: 'change', path: 'ä.txt' },
        { kind: 'rename', from: 'keep', path: 'kept ü "1"' },
        { kind: 'change', path: 'x y' },
      ],
    });
  });

  it('knows empty files that come and go, of which git writes nothing but the hash', () => {
    const sha256 = '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813';
    const patch = [
      'diff --git a/new b/x b/new b/x',
      'new file mode 100644',
      'index 0000000..e69de29',
      'diff --git "a/\\303\\244" "b/\\303\\244"',
      'deleted file mode 100644',
      `index ${sha256}..${'0'.repeat(64)}`,
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      HUNK,
    ].join('\n');
    expect(readPatch(patch)).toMatchObject({
      kind: 'read',
      value: [
        { kind: 'create', path: 'new b/x', hunks: [] },
        { kind: 'delete', path: 'ä', hunks: [] },
        { kind: 'change', path: 'x' },
      ],
    });
  });

  it('of the difference between two texts turns the one into the other', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '-x\n', '+++ y\n', '@@\n', '\\ z\n');
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end', '-end'))
      .map(([lines, end]) => [...lines, ...(end === '' ? [] : [end])]);
    fc.assert(
      fc.property(text, text, fc.nat(3), (before, after, context) => {
        const patch = difference(before, after, context);
        if (patch === undefined) return;
        const files = readPatch(patch);
        if (files.kind === 'unreadable') throw new Error(`${files.reason}\n${patch}`);
        expect(applyHunks(before.join(''), files.value[0]?.hunks ?? [])).toEqual({
          kind: 'read',
          value: after.join(''),
        });
      }),
      { numRuns: 2000 },
    );
  });
});

interface Edit {
  readonly sign: '+' | '-' | ' ';
  readonly line: string;
}

/** As plain as can be: the longest common lines, then hunks with so much around them. */
function difference(
  before: readonly string[],
  after: readonly string[],
  context: number,
): string | undefined {
  const edits = editsOf(before, after);
  const near = edits.map((_, at) =>
    edits.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' '),
  );
  const hunks: string[] = [];
  let [oldLine, newLine, at] = [0, 0, 0];
  while (at < edits.length) {
    const start = at;
    while (at < edits.length && near[at] === true) at += 1;
    const part = edits.slice(start, at);
    const olds = part.filter(({ sign }) => sign !== '+').length;
    const news = part.filter(({ sign }) => sign !== '-').length;
    if (part.length > 0) {
      const from = `${olds === 0 ? oldLine : oldLine + 1},${olds}`;
      const to = `${news === 0 ? newLine : newLine + 1},${news}`;
      hunks.push(`@@ -${from} +${to} @@\n${part.map(written).join('')}`);
    }
    oldLine += olds;
    newLine += news;
    while (at < edits.length && near[at] === false) {
      at += 1;
      oldLine += 1;
      newLine += 1;
    }
  }
  return hunks.length === 0 ? undefined : `--- a/x\n+++ b/x\n${hunks.join('')}`;
}

function written({ sign, line }: Edit): string {
  return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
}

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const common = new Map<string, number>();
  const length = (i: number, j: number): number => {
    if (i === before.length || j === after.length) return 0;
    const key = `${i},${j}`;
    const known = common.get(key);
    if (known !== undefined) return known;
    const found =
      before[i] === after[j]
        ? 1 + length(i + 1, j + 1)
        : Math.max(length(i + 1, j), length(i, j + 1));
    common.set(key, found);
    return found;
  };
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, new_] = [before[i], after[j]];
    if (old !== undefined && old === new_) {
      edits.push({ sign: ' ', line: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (new_ === undefined || length(i + 1, j) >= length(i, j + 1))) {
      edits.push({ sign: '-', line: old });
      i += 1;
    } else {
      edits.push({ sign: '+', line: new_ ?? '' });
      j += 1;
    }
  }
  return edits;
}
