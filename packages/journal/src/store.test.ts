import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { message, TempJournal } from '../test/temp-journal.ts';
import { openSigner, verifyStore } from './index.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a store that goes away', () => {
  it.each(['', '-wal'])(
    'under an open journal ends all writing: %s',
    verifies('journal:fails-closed'),
    async (ending) => {
      using temp = new TempJournal();
      await using journal = await temp.open();
      await journal.append([message('one')]);
      rmSync(temp.places.storeFile + ending);
      await expect(journal.append([message('two')])).rejects.toThrow(code('JOURNAL_UNWRITABLE'));
      writeFileSync(temp.places.storeFile + ending, '', { mode: 0o600 });
      await expect(journal.append([message('three')])).rejects.toThrow(code('JOURNAL_UNWRITABLE'));
      await expect(journal.archive(1, 'user:ada')).rejects.toThrow(code('JOURNAL_UNWRITABLE'));
    },
  );

  it('and is replaced by a copy of itself ends all writing', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append([message('one')]);
    copyFileSync(temp.places.storeFile, `${temp.places.storeFile}.copy`);
    renameSync(`${temp.places.storeFile}.copy`, temp.places.storeFile);
    await expect(journal.append([message('two')])).rejects.toThrow(code('JOURNAL_UNWRITABLE'));
  });

  it('is noticed by archiving too, and nothing is written afterwards', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096 });
    await journal.append(Array.from({ length: 40 }, (_, at) => message(`${at}`)));
    rmSync(temp.places.storeFile);
    await expect(journal.archive(1000, 'user:ada')).rejects.toThrow(code('JOURNAL_UNWRITABLE'));
    await expect(journal.append([message('late')])).rejects.toThrow(code('JOURNAL_UNWRITABLE'));
  });

  it('while nobody has it open is missed at the next start', async () => {
    using temp = new TempJournal();
    await (await temp.open())[Symbol.asyncDispose]();
    rmSync(temp.places.storeFile);
    await expect(temp.open()).rejects.toThrow(
      expect.objectContaining({
        code: 'JOURNAL_CORRUPT',
        message: 'the signing key is there and the store is gone',
      }),
    );
    expect(existsSync(temp.places.storeFile)).toBe(false);
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { reason: 'the signing key is there and the store is gone' },
    });
    rmSync(`${temp.places.keysDir}/signing.key`);
    await using journal = await temp.open();
    expect(journal.tip().sequence).toBe(0);
  });

  it('leaves its log to nobody else', verifies('journal:fails-closed'), async () => {
    using temp = new TempJournal();
    const { storeFile, keysDir } = temp.places;
    const log = `${storeFile}-wal`;
    {
      await using journal = await temp.open();
      await journal.append([message('acknowledged')]);
      // As after a crash, which leaves both.
      for (const file of [storeFile, log]) copyFileSync(file, `${file}.crashed`);
    }
    renameSync(`${log}.crashed`, log);
    const before = readFileSync(log);
    rmSync(storeFile);
    renameSync(`${keysDir}/signing.key`, `${keysDir}/aside`);
    await expect(temp.open()).rejects.toThrow('the store is gone and its log is still there');
    expect(existsSync(storeFile)).toBe(false);
    expect(readFileSync(log)).toEqual(before);
    renameSync(`${storeFile}.crashed`, storeFile);
    renameSync(`${keysDir}/aside`, `${keysDir}/signing.key`);
    for (const name of readdirSync(keysDir))
      if (name !== 'signing.key') rmSync(`${keysDir}/${name}`);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 1 });
  });
});

describe('a first start that crashes', () => {
  it('after the key was made begins again with the same key', async () => {
    using temp = new TempJournal();
    const { keyId } = await openSigner(temp.places);
    await using journal = await temp.open();
    await journal.append([message('one')]);
    expect((await openSigner(temp.places)).keyId).toBe(keyId);
    expect(readdirSync(temp.places.keysDir)).toEqual(['signing.key']);
  });

  it('within the making of the store begins again', async () => {
    using temp = new TempJournal();
    await openSigner(temp.places);
    mkdirSync(dirname(temp.places.storeFile), { mode: 0o700 });
    writeFileSync(`${temp.places.storeFile}.draft`, 'half', { mode: 0o600 });
    await using journal = await temp.open();
    expect(await journal.append([message('one')])).toHaveLength(1);
  });

  it('after the store was made goes on with both, and they can be verified before', async () => {
    using temp = new TempJournal();
    await (await temp.open())[Symbol.asyncDispose]();
    const key = `${temp.places.keysDir}/signing.key`;
    renameSync(key, `${key}.new`);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    await using journal = await temp.open();
    expect(await journal.append([message('one')])).toHaveLength(1);
    expect(readdirSync(temp.places.keysDir)).toEqual(['signing.key']);
  });
});

describe('opening', () => {
  it('makes directories and files that only we may use', async () => {
    using temp = new TempJournal();
    await using _journal = await temp.open();
    const { stateDir, keysDir, storeFile, lockFile } = temp.places;
    for (const path of [stateDir, keysDir]) expect(statSync(path).mode & 0o777).toBe(0o700);
    const files = [
      storeFile,
      `${storeFile}-wal`,
      `${storeFile}-shm`,
      lockFile,
      `${keysDir}/signing.key`,
    ];
    for (const path of files) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses directories and files that others may use, and links', async () => {
    for (const open of ['stateDir', 'keysDir', 'storeFile', 'lockFile'] as const) {
      using temp = new TempJournal();
      await (await temp.open())[Symbol.asyncDispose]();
      chmodSync(temp.places[open], open.endsWith('Dir') ? 0o755 : 0o644);
      await expect(temp.open()).rejects.toThrow(code('HOME_UNSAFE'));
    }
    using temp = new TempJournal();
    mkdirSync(`${temp.home}/elsewhere`, { mode: 0o700 });
    symlinkSync(`${temp.home}/elsewhere`, temp.places.stateDir);
    await expect(temp.open()).rejects.toThrow(code('HOME_UNSAFE'));
  });

  it('refuses a second daemon on the same store, and lets it in afterwards', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open();
      await expect(temp.open()).rejects.toThrow(code('DAEMON_RUNNING'));
      expect(await journal.append([message('still fine')])).toHaveLength(1);
    }
    await using journal = await temp.open();
    expect(journal.tip().sequence).toBe(1);
  });

  it('never makes another key for a store that has one', async () => {
    using temp = new TempJournal();
    await (await temp.open())[Symbol.asyncDispose]();
    const key = `${temp.places.keysDir}/signing.key`;
    rmSync(key);
    await expect(temp.open()).rejects.toThrow(code('JOURNAL_KEY_UNUSABLE'));
    expect(existsSync(key)).toBe(false);
    writeFileSync(key, 'not a key', { mode: 0o600 });
    await expect(temp.open()).rejects.toThrow(code('JOURNAL_KEY_UNUSABLE'));
    chmodSync(key, 0o640);
    await expect(temp.open()).rejects.toThrow(code('HOME_UNSAFE'));
  });

  it('refuses a store that another key has signed', async () => {
    using temp = new TempJournal();
    await (await temp.open())[Symbol.asyncDispose]();
    using other = new TempJournal();
    const { keysDir } = other.places;
    await (await other.open())[Symbol.asyncDispose]();
    writeFileSync(`${temp.places.keysDir}/signing.key`, readFileSync(`${keysDir}/signing.key`));
    await expect(temp.open()).rejects.toThrow(code('JOURNAL_KEY_UNUSABLE'));
  });

  it('refuses what is not a store', async () => {
    using temp = new TempJournal();
    await (await temp.open())[Symbol.asyncDispose]();
    writeFileSync(temp.places.storeFile, 'x'.repeat(5000));
    await expect(temp.open()).rejects.toThrow(code('JOURNAL_CORRUPT'));
  });

  it('two starts at once end with one key', async () => {
    using temp = new TempJournal();
    const [first, second] = await Promise.all([openSigner(temp.places), openSigner(temp.places)]);
    expect(first.keyId).toBe(second.keyId);
  });
});
