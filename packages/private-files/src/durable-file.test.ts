import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addPrivateFile,
  removePrivateFile,
  renameDurably,
  replaceForNow,
  replacePrivateFile,
  syncPath,
  writeDurably,
} from './durable-file.ts';
import { modeOf, system, TempDirectory, unsafe } from './temp-directory.fixture.ts';

const WRITES = [
  ['added', async (path: string, text: string) => addPrivateFile(path, text)],
  ['replaced', async (path: string, text: string) => replacePrivateFile(path, text)],
  ['replaced for now', async (path: string, text: string) => replaceForNow(path, text)],
  ['streamed', (path: string, text: string) => writeDurably(path, [Buffer.from(text)])],
] as const;

describe.each(WRITES)('a file that is %s', (_, write) => {
  it('is there whole, for us alone, and without drafts beside it', async () => {
    using temp = new TempDirectory();
    await write(temp.at('a.key'), 'text');
    expect(readFileSync(temp.at('a.key'), 'utf8')).toBe('text');
    expect(modeOf(temp.at('a.key'))).toBe('600');
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });

  it('never goes through a link that stands in its place', async () => {
    using temp = new TempDirectory();
    symlinkSync(temp.write('elsewhere', 'old'), temp.at('a.key'));
    await write(temp.at('a.key'), 'text');
    expect(readFileSync(temp.at('elsewhere'), 'utf8')).toBe('old');
    expect(readdirSync(temp.path)).toEqual(['a.key', 'elsewhere']);
  });

  it('fails as the system says when its directory is missing', async () => {
    using temp = new TempDirectory();
    await expect(write(temp.at('keys/a.key'), 'text')).rejects.toThrow(system('ENOENT'));
  });
});

describe('adding', () => {
  it('never replaces', () => {
    using temp = new TempDirectory();
    addPrivateFile(temp.at('a.key'), 'first');
    addPrivateFile(temp.at('a.key'), 'second');
    expect(readFileSync(temp.at('a.key'), 'utf8')).toBe('first');
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });

  it('leaves even a link to nowhere, for the reader to refuse', () => {
    using temp = new TempDirectory();
    symlinkSync(temp.at('nowhere'), temp.at('a.key'));
    addPrivateFile(temp.at('a.key'), 'text');
    expect(readlinkSync(temp.at('a.key'))).toBe(temp.at('nowhere'));
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });
});

describe.each(WRITES.slice(1))('what a file that is %s takes the place of', (_, write) => {
  it('is gone', async () => {
    using temp = new TempDirectory();
    await write(temp.write('a.key', 'a longer text than the new one'), 'text');
    expect(readFileSync(temp.at('a.key'), 'utf8')).toBe('text');
  });

  it('stays when the new one cannot have its name, and no draft is left', async () => {
    using temp = new TempDirectory();
    mkdirSync(temp.at('a.key'));
    await expect(write(temp.at('a.key'), 'text')).rejects.toThrow(system('EISDIR'));
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });
});

describe('streaming', () => {
  it('keeps what was there when the stream breaks off, and no draft', async () => {
    using temp = new TempDirectory();
    const path = temp.write('segment', 'old');
    await expect(writeDurably(path, breaking())).rejects.toThrow('broken off');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(temp.path)).toEqual(['segment']);
  });

  it('writes the parts one after the other', async () => {
    using temp = new TempDirectory();
    await writeDurably(temp.at('segment'), parts());
    expect(readFileSync(temp.at('segment'), 'utf8')).toBe('one two');
  });
});

describe('renaming and syncing', () => {
  it('gives the file its new name only', () => {
    using temp = new TempDirectory();
    renameDurably(temp.write('draft', 'text'), temp.at('a.key'));
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });

  it('takes files and directories, and refuses links', () => {
    using temp = new TempDirectory();
    syncPath(temp.path);
    syncPath(temp.write('a.key', 'text'));
    symlinkSync(temp.at('a.key'), temp.at('link'));
    expect(() => syncPath(temp.at('link'))).toThrow(
      unsafe(`\`${temp.at('link')}\` is a link or not a directory`),
    );
    expect(() => syncPath(temp.at('missing'))).toThrow(system('ENOENT'));
  });
});

describe('removing', () => {
  it('may be done twice, and where there is not even a directory', () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'text');
    removePrivateFile(path);
    removePrivateFile(path);
    removePrivateFile(temp.at('keys/a.key'));
    expect(readdirSync(temp.path)).toEqual([]);
  });

  it('takes a link away and not what it leads to', () => {
    using temp = new TempDirectory();
    symlinkSync(temp.write('elsewhere', 'text'), temp.at('a.key'));
    removePrivateFile(temp.at('a.key'));
    expect(readdirSync(temp.path)).toEqual(['elsewhere']);
  });

  it('leaves a directory where it is', () => {
    using temp = new TempDirectory();
    mkdirSync(temp.at('keys'));
    expect(() => removePrivateFile(temp.at('keys'))).toThrow(Error);
    expect(readdirSync(temp.path)).toEqual(['keys']);
  });
});

async function* parts(): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('one ');
  yield Buffer.from('two');
}

async function* breaking(): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts();
  throw new Error('broken off');
}
