import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { message, TempJournal } from '../test/temp-journal.ts';
import { verifyStore } from './index.ts';
import { makeLogRoom } from './log-room.ts';

const ROOM_BYTES = 2 * 1024 * 1024;

/** What a crash at that moment would leave. */
async function crashAfter(temp: TempJournal, entries: number): Promise<string> {
  const { storeFile } = temp.places;
  const files = [storeFile, `${storeFile}-wal`];
  {
    await using journal = await temp.open();
    for (let at = 0; at < entries; at += 1) await journal.append([message(`entry ${at}`)]);
    for (const file of files) copyFileSync(file, `${file}.crashed`);
  }
  for (const file of files) renameSync(`${file}.crashed`, file);
  return `${storeFile}-wal`;
}

describe('the room of the log', () => {
  it('is there before the first entry, and stays as it is when it is written to', async () => {
    using temp = new TempJournal();
    const log = `${temp.places.storeFile}-wal`;
    await using journal = await temp.open();
    expect(statSync(log).size).toBe(ROOM_BYTES);
    await journal.append([message('one')]);
    expect(statSync(log)).toMatchObject({ size: ROOM_BYTES, mode: 0o100600 });
  });

  it.each([0, 1, 40])('passes for no entry after a crash with %i of them', async (entries) => {
    using temp = new TempJournal();
    await crashAfter(temp, entries);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries });
    await using journal = await temp.open();
    expect(journal.tip().sequence).toBe(entries);
    expect(await journal.append([message('next')])).toMatchObject([{ sequence: entries + 1 }]);
  });

  it('leaves what a crash has left as it is, and only adds to it', async () => {
    using temp = new TempJournal();
    const log = await crashAfter(temp, 3);
    truncateSync(log, ROOM_BYTES / 2);
    const before = readFileSync(log);
    makeLogRoom(temp.places.storeFile);
    const after = readFileSync(log);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(after.subarray(before.length).every((byte) => byte === 0)).toBe(true);
    appendFileSync(log, 'more');
    makeLogRoom(temp.places.storeFile);
    expect(statSync(log).size).toBe(ROOM_BYTES + 4);
  });

  it('is made in no file that somebody has laid there', () => {
    using temp = new TempJournal();
    const elsewhere = `${temp.home}/elsewhere`;
    const store = `${temp.home}/store/palyra.sqlite`;
    mkdirSync(`${temp.home}/store`);
    writeFileSync(elsewhere, 'mine');
    symlinkSync(elsewhere, `${store}-wal`);
    expect(() => makeLogRoom(store)).toThrow('ELOOP');
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
    rmSync(`${store}-wal`);
    expect(() => makeLogRoom(store)).toThrow('ENOENT');
  });
});
