import { type Reading, read, unreadable } from '../canonical/reading.ts';

/** The empty file, as git names it: by SHA-1 or SHA-256, as much of it as is written. */
const EMPTY_BLOBS: readonly string[] = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
];

export function isEmptyBlob(hash: string): boolean {
  return EMPTY_BLOBS.some((blob) => blob.startsWith(hash));
}

export function isNoBlob(hash: string): boolean {
  return /^0+$/.test(hash);
}

/**
 * A name as git writes it: where it holds anything but plain ASCII, in quotes and with the escapes of
 * C, a byte at a time. Contract: never throws; what follows it begins with a space or a tab, or is nothing.
 */
export function readGitName(written: string): Reading<{ readonly name: string; rest: string }> {
  if (!written.startsWith('"')) {
    const [name = ''] = written.split('\t', 1);
    return read({ name, rest: written.slice(name.length) });
  }
  const [whole, inside = ''] = QUOTED.exec(written) ?? [];
  const rest = written.slice(whole?.length ?? 0);
  if (whole === undefined || !/^(?:$|[ \t])/.test(rest)) {
    return unreadable('has a path in quotes that do not end, or with an unknown escape', ESCAPES);
  }
  const bytes = Buffer.concat(Array.from(inside.matchAll(PIECE), ([piece]) => bytesOf(piece)));
  const name = bytes.toString();
  if (Buffer.from(name).equals(bytes)) return read({ name, rest });
  return unreadable('has a path in quotes that is no text in UTF-8', ESCAPES);
}

/** The one file that `diff --git a/FILE b/FILE` is about; `undefined` where it names two, or none. */
export function nameInGitLine(line: string): Reading<string | undefined> {
  const names = line.slice(GIT_LINE.length);
  if (!names.startsWith('"')) return read(sameName(halvesOf(names)));
  const first = readGitName(names);
  if (first.kind === 'unreadable') return first;
  const second = readGitName(first.value.rest.slice(1));
  if (second.kind === 'unreadable') return second;
  return read(sameName([first.value.name, second.value.name]));
}

export const GIT_LINE = 'diff --git ';

const ESCAPES = 'write it without quotes, or as git does: `"a/\\303\\244.txt"` for `a/ä.txt`';
const QUOTED = /^"((?:[^"\\]|\\(?:["\\abfnrtv]|[0-3][0-7]{2}))*)"/;
const PIECE = /\\(?:[0-3][0-7]{2}|.)|[^\\]+/gu;
const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function bytesOf(piece: string): Buffer {
  if (!piece.startsWith('\\')) return Buffer.from(piece);
  const escaped = piece.slice(1);
  if (/^\d/.test(escaped)) return Buffer.from([Number.parseInt(escaped, 8)]);
  return Buffer.from(LETTERS[escaped] ?? escaped);
}

/** Without quotes a name may hold spaces; two that are the same are as long as each other. */
function halvesOf(names: string): readonly [string, string] {
  const middle = (names.length - 1) / 2;
  return names.charAt(middle) === ' '
    ? [names.slice(0, middle), names.slice(middle + 1)]
    : ['', ''];
}

function sameName([old, after]: readonly [string, string]): string | undefined {
  const isSame = old.startsWith('a/') && after.startsWith('b/') && old.slice(2) === after.slice(2);
  return isSame ? old.slice(2) : undefined;
}
