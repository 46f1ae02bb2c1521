import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** Fills its disk until that refuses, at once where it is read-only, and says what became of the lock. */
const LOCKER = `
  import { appendFileSync } from 'node:fs';
  import { DeviceStore } from ${JSON.stringify(join(import.meta.dirname, 'device-store.ts'))};
  const [folder] = process.argv.slice(1);
  try { for (;;) appendFileSync(folder + '/filling', 'x'.repeat(4096)); } catch {}
  await new DeviceStore(folder).lock().catch(({ code, message, help }) => {
    process.stdout.write(JSON.stringify({ code, message, help }));
  });
`;

it.each([
  {
    disk: 'full',
    mount: (folder: string) => ['--perms', '0700', '--size', '65536', '--tmpfs', folder],
    reason: 'the disk is full',
    help: 'free some space on that disk and try again',
  },
  {
    disk: 'read-only',
    mount: (folder: string) => ['--ro-bind', folder, folder],
    reason: 'the disk is read-only',
    help: 'make it writable and try again',
  },
])('on a disk that is $disk the lock says so, by its name', ({ mount, reason, help }) => {
  using folder = tempFolder();
  const script = [process.execPath, '--input-type=module', '-e', LOCKER, folder.path];
  const machine = ['--bind', '/', '/', '--dev', '/dev', ...mount(folder.path)];
  const ended = spawnSync('bwrap', [...machine, ...script], { encoding: 'utf8' });
  expect(ended.error, 'bwrap is missing; install bubblewrap').toBeUndefined();
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toEqual({
    code: 'HOME_UNSAFE',
    message: `\`${folder.path}/lock.sqlite\` cannot be written: ${reason}`,
    help,
  });
});

it('what is no lock in its place is named', async () => {
  using folder = tempFolder();
  const lockFile = join(folder.path, 'lock.sqlite');
  writeFileSync(lockFile, 'not a lock\n'.repeat(100), { mode: 0o600 });
  await expect(new DeviceStore(folder.path).lock()).rejects.toMatchObject({
    code: 'HOME_UNSAFE',
    message: `\`${lockFile}\` cannot be used: SQLite error 26`,
  });
});

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
