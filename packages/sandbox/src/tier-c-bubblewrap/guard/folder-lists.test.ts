import type { Dirent } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Change, collect } from './change-events.ts';
import { FolderLists } from './folder-lists.ts';

const SRC = 7;
const DEEP = 8;
const ENTRIES: readonly Dirent[] = [];

function known(): FolderLists {
  const lists = new FolderLists();
  for (const [folder, number] of [
    ['', 1],
    ['src', SRC],
    ['src/deep', DEEP],
    ['src/deeper', 9],
    ['srcs', 10],
  ] as const) {
    lists.show(folder, number);
    lists.keep(folder, ENTRIES, lists.generation);
  }
  return lists;
}

const left = (lists: FolderLists) =>
  ['', 'src', 'src/deep', 'src/deeper', 'srcs'].filter((folder) => lists.of(folder) !== undefined);

describe('the lists of folders', () => {
  it.each<[string, Change, readonly string[]]>([
    ['a name in it', { number: SRC, name: 'file' }, ['', 'src/deep', 'src/deeper', 'srcs']],
    ['a folder in it', { number: SRC, name: 'deep' }, ['', 'src/deeper', 'srcs']],
    ['itself', { number: SRC, name: undefined }, ['', 'srcs']],
    ['the top', { number: 1, name: undefined }, []],
    ['a file', { number: 99, name: undefined }, ['', 'src', 'src/deep', 'src/deeper', 'srcs']],
  ])('are known but for those that a change of %s touches', (_, change, expected) => {
    const lists = known();
    lists.hear([change]);
    expect(left(lists)).toEqual(expected);
  });

  it('are forgotten under every path of what is there twice', () => {
    const lists = known();
    lists.show('srcs', SRC);
    lists.hear([{ number: SRC, name: 'file' }]);
    expect(left(lists)).toEqual(['', 'src/deep', 'src/deeper']);
  });

  it('are not kept when a change was told while they were made', () => {
    const lists = new FolderLists();
    const { generation } = lists;
    lists.show('src', SRC);
    lists.hear([]);
    lists.keep('src', ENTRIES, generation);
    expect(lists.of('src')).toBeUndefined();
  });

  it('are forgotten before the paths of all that ever was take more than they may', () => {
    const lists = known();
    const long = 'x'.repeat(1024 * 1024);
    lists.show(`${long}1`, 30);
    expect(left(lists)).toHaveLength(5);
    lists.show(`${long}2`, 30);
    expect(left(lists)).toEqual([]);
  });

  it('hear of a folder too large to be kept, for what is below it', () => {
    const lists = known();
    const large = Array.from<Dirent>({ length: 20_001 });
    lists.show('large', 20);
    lists.keep('large', large, lists.generation);
    lists.show('large/below', 21);
    lists.keep('large/below', ENTRIES, lists.generation);
    expect([lists.of('large'), lists.of('large/below')]).toEqual([undefined, ENTRIES]);
    lists.hear([{ number: 20, name: 'below' }]);
    expect(lists.of('large/below')).toBeUndefined();
  });
});

function event(number: number, mask: number, name = ''): Buffer {
  const padded = Math.ceil((Buffer.byteLength(name) + 1) / 16) * 16;
  const bytes = Buffer.alloc(16 + (name === '' ? 0 : padded));
  bytes.writeInt32LE(number, 0);
  bytes.writeUInt32LE(mask, 4);
  bytes.writeUInt32LE(bytes.length - 16, 12);
  bytes.write(name, 16);
  return bytes;
}

describe('what the kernel tells of changes', () => {
  it('is read one after the other', () => {
    const changes: Change[] = [];
    const told = [event(3, 0x100, 'a name'), event(4, 0x400), event(3, 0x200, 'ü'.repeat(100))];
    expect(collect(Buffer.concat(told), changes)).toBe(true);
    expect(changes).toEqual([
      { number: 3, name: 'a name' },
      { number: 4, name: undefined },
      { number: 3, name: 'ü'.repeat(100) },
    ]);
  });

  it.each([
    ['more than the kernel kept', event(-1, 0x4000)],
    ['a name that is no text', Buffer.concat([event(3, 0x100, 'xx').fill(0xff, 16, 18)])],
    ['more than is told apart', Buffer.concat(Array.from({ length: 201 }, () => event(3, 4, 'a')))],
  ])('is not all known after %s', (_, told) => {
    expect(collect(told, [])).toBe(false);
  });
});
