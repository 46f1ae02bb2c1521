import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_PATH_NAMES, readFilePath, readPath } from './path.ts';

const CYRILLIC_DOCS = 'd\u043E\u0441s';

describe('a path', () => {
  it.each([
    ['README.md', 'README.md'],
    ['./README.md', 'README.md'],
    ['././README.md', 'README.md'],
    ['docs//guides///a.md', 'docs/guides/a.md'],
    ['docs/./a.md', 'docs/a.md'],
    ['docs/', 'docs'],
    ['docs/.', 'docs'],
    ['docs//.//', 'docs'],
    ['.', '.'],
    ['./', '.'],
    ['./.', '.'],
    ['/', '/'],
    ['//', '/'],
    ['/.', '/'],
    ['//etc///passwd', '/etc/passwd'],
    ['/etc/', '/etc'],
    ['/./etc', '/etc'],
  ])('%j has the one spelling %j', (text, path) => {
    expect(readPath(text)).toEqual({ kind: 'read', value: path });
  });

  it.each([
    ['another case', 'Docs/README.MD'],
    ['an escape, which stays what it is', 'docs/%2e%2e/%2fetc'],
    ['an escaped slash', 'docs%2Fa.md'],
    ['a doubly escaped dot', '%252e%252e/a'],
    ['dots that are a name', '..a/b..c/.hidden'],
    ['three dots before a name', '...a'],
    ['a variable that nobody expands', '$HOME/.ssh/id'],
    ['a variable of another system', '%USERPROFILE%/a'],
    ['a pattern that nobody expands', 'docs/*.md'],
    ['braces that nobody expands', '{a,b}/c'],
    ['a tilde that is no home', 'docs/~ada'],
    ['a tilde below the root', '/~ada/x'],
    ['a backup file', 'a.md~'],
    ['a space inside', 'my docs/a b.md'],
    ['a space before', ' docs'],
    ['a backslash, which is a letter here', 'unit\\x2dname.service'],
    ['a colon', 'logs/10:30.txt'],
    ['a dash before', '-rf'],
    ['quotes', 'it\'s "so"'],
    ['a newline that is only spelled', 'a\\nb'],
    ['letters of other scripts', 'документы/日本/قلم.txt'],
    ['composed letters', 'caf\u00E9'],
    ['an emoji', 'notes-🎉.md'],
    ['a slash that only looks like one', 'docs\u2215a'],
    ['a full-width slash', 'docs\uFF0Fa'],
    ['full-width dots', '\uFF0E\uFF0E/a'],
    ['a one-dot leader twice', '\u2024\u2024/a'],
    ['a space that does not break', 'docs\u00A0/a'],
  ])('keeps %s', (_what, text) => {
    expect(readPath(text)).toEqual({ kind: 'read', value: text });
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['the folder above', '..', 'holds `..`'],
    ['a way out of the workspace', '../secret', 'holds `..`'],
    ['a way out further on', 'docs/../../secret', 'holds `..`'],
    ['a way that stays inside', 'docs/../README.md', 'holds `..`'],
    ['a final `..`', 'docs/..', 'holds `..`'],
    ['a final `..` with a slash', 'docs/../', 'holds `..`'],
    ['a `..` behind dots and slashes', './/.//..//a', 'holds `..`'],
    ['a `..` below the root', '/..', 'holds `..`'],
    ['a `..` in an absolute path', '/srv/../etc/passwd', 'holds `..`'],
    ['a `..` between backslashes', 'docs\\..\\..\\secret', 'holds `..`'],
    ['a `..` before a backslash', '..\\secret', 'holds `..`'],
    ['a `..` after a backslash', 'docs\\..', 'holds `..`'],
    ['a home', '~', 'starts with `~`'],
    ['a file in a home', '~/.ssh/id_ed25519', 'starts with `~`'],
    ['the home of somebody else', '~root/.bashrc', 'starts with `~`'],
    ['a home after a dot', './~/.ssh', 'starts with `~`'],
    ['a drive', 'C:\\Windows', 'starts with a drive letter'],
    ['a drive with slashes', 'c:/Windows', 'starts with a drive letter'],
    ['a folder of a drive', 'C:secret.txt', 'starts with a drive letter'],
    ['a drive after a dot', './C:/Windows', 'starts with a drive letter'],
    ['a share of another machine', '\\\\server\\share', 'starts with a backslash'],
    ['a raw device of Windows', '\\\\?\\C:\\x', 'starts with a backslash'],
    ['an address', 'file:///etc/passwd', 'is an address, not a path'],
    ['an address after a dot', './file:/etc/passwd', 'is an address, not a path'],
    ['a NUL', 'a.md\0.txt', 'holds `\\u{0000}`'],
    ['a newline', 'a\nb', 'holds `\\u{000a}`'],
    ['a tab', 'a\tb', 'holds `\\u{0009}`'],
    ['an escape character', 'a\u001B[2Jb', 'holds `\\u{001b}`'],
    ['a delete character', 'a\u007Fb', 'holds `\\u{007f}`'],
    ['a control character of the second set', 'a\u0085b', 'holds `\\u{0085}`'],
    ['text that runs backwards', 'a\u202Etxt.exe', 'holds `\\u{202e}`'],
    ['an isolate', 'a\u2066b', 'holds `\\u{2066}`'],
    ['a zero-width space', 'do\u200Bcs', 'holds `\\u{200b}`'],
    ['a zero-width joiner', 'do\u200Dcs', 'holds `\\u{200d}`'],
    ['a byte order mark', '\uFEFFdocs', 'holds `\\u{feff}`'],
    ['a soft hyphen', 'do\u00ADcs', 'holds `\\u{00ad}`'],
    ['a filler', 'docs\u3164', 'holds `\\u{3164}`'],
    ['a line separator', 'a\u2028b', 'holds `\\u{2028}`'],
    ['a variation selector', 'a\uFE0F', 'holds `\\u{fe0f}`'],
    ['a tag character', 'a\u{E0041}', 'holds `\\u{e0041}`'],
    ['half a surrogate pair', 'a\uD800b', 'holds `\\u{d800}`'],
    ['the other half', 'a\uDC00', 'holds `\\u{dc00}`'],
    ['a letter in parts', 'cafe\u0301', 'spells a character in parts'],
    ['a letter that has another code', '\u212Bngstrom', 'spells a character in parts'],
    ['a name with a final dot', 'secret.txt.', 'ends in a dot or a space'],
    ['a folder with a final dot', '.git./config', 'ends in a dot or a space'],
    ['three dots', '.../a', 'ends in a dot or a space'],
    ['a name with a final space', 'secret.txt ', 'ends in a dot or a space'],
    ['`..` and a space', '.. /secret', 'ends in a dot or a space'],
    ['a long name', 'x'.repeat(MAX_NAME_BYTES + 1), `more than ${MAX_NAME_BYTES} bytes`],
    ['a name long in bytes', 'é'.repeat(128), `more than ${MAX_NAME_BYTES} bytes`],
    ['many names', 'a/'.repeat(MAX_PATH_NAMES + 1), `more than ${MAX_PATH_NAMES} names`],
    ['many bytes', `${'/'.repeat(MAX_PATH_BYTES)}a`, `longer than ${MAX_PATH_BYTES} bytes`],
  ])('is not read when it is or holds %s', (_what, text, reason) => {
    const reading = readPath(text);
    expect(reading).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining(reason) });
    expect(reading.kind === 'unreadable' && reading.help).toMatch(/./);
  });

  it.each([
    ['as many bytes as a name may have', 'x'.repeat(MAX_NAME_BYTES)],
    ['as many names as a path may have', Array(MAX_PATH_NAMES).fill('a').join('/')],
  ])('is read with %s', (_what, text) => {
    expect(readPath(text)).toEqual({ kind: 'read', value: text });
  });

  it('in look-alike letters is another path', () => {
    expect(readPath(`${CYRILLIC_DOCS}/a.md`)).toEqual({
      kind: 'read',
      value: `${CYRILLIC_DOCS}/a.md`,
    });
    expect(`${CYRILLIC_DOCS}/a.md`.startsWith('docs/')).toBe(false);
  });

  it.each(['.', './', '/', '//.'])('of a file is not %j', (text) => {
    expect(readFilePath(text)).toMatchObject({ reason: 'names a folder, not a file' });
  });
});

const name = fc
  .string({
    unit: fc.constantFrom(...'a b X Z 0 9 _ - . ~ $ é \u0441 \\'.split(' '), ' '),
    minLength: 1,
    maxLength: 8,
  })
  .filter((text) => readPath(text).kind === 'read' && text !== '.');

/** The same path, as somebody else would write it. */
const detour = fc.constantFrom('/', '//', '/./', '/.//./', '///');
const variant = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 6 }),
    start: fc.constantFrom('', './', './/', '././'),
    detours: fc.array(detour, { minLength: 6, maxLength: 6 }),
    end: fc.constantFrom('', '/', '/.', '//', '/./'),
  })
  .map(({ names, start, detours, end }) => ({
    path: names.join('/'),
    text: start + names.map((each, place) => (place ? detours[place] : '') + each).join('') + end,
  }));

describe('any path', () => {
  it('that is read means itself, and holds no `..`, no empty name and no final slash', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('/', '.', '..', '\\', '~', 'a', 'C:', ' ', '\0', '\u0301', '\uD800'),
    });
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        const reading = readPath(text);
        if (reading.kind === 'unreadable') return;
        expect(readPath(reading.value)).toEqual(reading);
        expect(reading.value.split('/')).not.toContain('..');
        if (reading.value !== '/') expect(reading.value).not.toMatch(/\/\/|\/$|^\.\/|\/\.(?:\/|$)/);
      }),
      { numRuns: 2000 },
    );
  });

  it('has one spelling, however it is written', () => {
    fc.assert(
      fc.property(variant, ({ path, text }) => {
        expect(readPath(text)).toEqual({ kind: 'read', value: path });
      }),
      { numRuns: 500 },
    );
  });
});
