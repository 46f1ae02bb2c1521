import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DeviceStore } from './device-store.ts';

const TRY_TO_LOCK = `
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.argv[1]);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    process.stdout.write('got it');
  } catch (error) {
    process.stdout.write(error.message);
  }
`;

it('the lock keeps other processes out, also while a second one of this process waits', async () => {
  using folder = tempFolder();
  const lockFile = join(folder.path, 'lock.sqlite');
  const waiting = new AbortController();
  const held = await new DeviceStore(folder.path).lock();
  const second = new DeviceStore(folder.path).lock(waiting.signal);
  expect(tryFromOutside(lockFile)).toBe('database is locked');
  waiting.abort();
  await expect(second).rejects.toThrow();
  expect(tryFromOutside(lockFile)).toBe('database is locked');
  held[Symbol.dispose]();
  expect(tryFromOutside(lockFile)).toBe('got it');
  expect((statSync(lockFile).mode & 0o777).toString(8)).toBe('600');
});

function tryFromOutside(lockFile: string): string {
  const args = ['--input-type=module', '--eval', TRY_TO_LOCK, lockFile];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}

function tempFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'palyra-lock-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
