import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message, TempJournal } from '../test/temp-journal.ts';
import { verifyStore } from '../src/index.ts';
import { bundleWriter } from './bundle-writer.ts';
import { checkAfterCrash } from './crash-campaign.ts';
import { type WriterOptions, type WriterResult, runWriter } from './run-writer.ts';

const PAGE = 4096;
const code = (expected: string) => expect.objectContaining({ code: expected });

const held: { folder?: AsyncDisposable; writer: string } = { writer: '' };
beforeAll(async () => {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-trouble-'));
  held.folder = folder;
  held.writer = await bundleWriter(folder.path);
});
afterAll(async () => {
  await held.folder?.[Symbol.asyncDispose]();
});

async function write(options: WriterOptions): Promise<WriterResult> {
  return await runWriter({ writer: held.writer, ...options });
}

/** Shell text that makes a directory read-only or small for what it starts, and only for that. */
function inOwnMounts(mount: string): [string, ...string[]] {
  return ['unshare', '-rm', 'sh', '-ec', `${mount}; exec "$@"`, 'sh'];
}

function readOnly(path: string): string {
  return `mount --bind '${path}' '${path}'; mount -o remount,bind,ro '${path}'`;
}

/** What `verifyStore` says in a process that is started through these words. */
function verifyThrough(through: [string, ...string[]], { places }: TempJournal) {
  const module = JSON.stringify(import.meta.resolve('../src/verify-store.ts'));
  const text = `import { verifyStore } from ${module};
    console.log(JSON.stringify(await verifyStore(${JSON.stringify(places)})));`;
  return runThrough(through, text);
}

/** How large the log is before and after room was made for it, on a disk that has none. */
function logThrough(through: [string, ...string[]], { home }: TempJournal) {
  const module = JSON.stringify(import.meta.resolve('../src/log-room.ts'));
  const store = `${home}/palyra.sqlite`;
  const text = `import { statSync, writeFileSync } from 'node:fs';
    import { makeLogRoom } from ${module};
    writeFileSync(${JSON.stringify(`${store}-wal`)}, 'frames');
    makeLogRoom(${JSON.stringify(store)});
    console.log(statSync(${JSON.stringify(`${store}-wal`)}).size);`;
  return runThrough(through, text);
}

function runThrough([program, ...words]: [string, ...string[]], text: string): string {
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', text];
  const { stdout, stderr } = spawnSync(program, [...words, ...node], { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

async function fill(temp: TempJournal, entries = 50): Promise<void> {
  await using journal = await temp.open();
  for (let at = 0; at < entries; at += 1) await journal.append([message(`entry ${at}`)]);
}

const FAILS_CLOSED = { ...verifies('journal:fails-closed'), timeout: 60_000 };

describe('a journal in trouble', () => {
  it(
    'refuses when no file may grow any more, and has everything that it acknowledged',
    FAILS_CLOSED,
    async () => {
      using temp = new TempJournal();
      // The signal that comes with the limit is ignored, so that the write itself fails, as on a full disk.
      const through: [string, ...string[]] = [
        'bash',
        '-c',
        'trap "" XFSZ; ulimit -f 800; exec "$@"',
        'bash',
      ];
      const result = await write({ home: temp.home, through });
      expect(result).toMatchObject({ opened: true, failure: 'JOURNAL_UNWRITABLE' });
      expect(result.acknowledged.size).toBeGreaterThan(10);
      expect(await checkAfterCrash(temp.places, result.acknowledged)).toEqual([]);
    },
  );

  it('refuses on a full disk', FAILS_CLOSED, async () => {
    using temp = new TempJournal();
    const mount = `mount -t tmpfs -o size=1m,mode=700 none '${temp.home}'`;
    const result = await write({ home: temp.home, through: inOwnMounts(mount) });
    expect(result).toMatchObject({ opened: true, failure: 'JOURNAL_UNWRITABLE' });
    expect(result.acknowledged.size).toBeGreaterThan(10);
  });

  it('takes no room for its log that the disk does not have', { timeout: 60_000 }, () => {
    using temp = new TempJournal();
    const mount = `mount -t tmpfs -o size=1m,mode=700 none '${temp.home}'`;
    expect(logThrough(inOwnMounts(mount), temp)).toBe('6\n');
  });

  it('refuses on a read-only disk', FAILS_CLOSED, async () => {
    using temp = new TempJournal();
    await fill(temp);
    const result = await write({ home: temp.home, through: inOwnMounts(readOnly(temp.home)) });
    expect(result).toMatchObject({ opened: false, failure: 'JOURNAL_UNWRITABLE' });
    expect(result.stderr).toContain('the store is read-only');
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 50 });
  });

  it('can be verified on a read-only disk', { timeout: 60_000 }, async () => {
    using temp = new TempJournal();
    await fill(temp);
    const said = verifyThrough(inOwnMounts(readOnly(temp.home)), temp);
    expect(said).toContain('"verdict":"intact","entries":50');
  });

  it.each([1, 2, 3, 5, 9, 14, 25, 60])(
    'acknowledges nothing that is not there when sync number %i fails',
    FAILS_CLOSED,
    async (when) => {
      using temp = new TempJournal();
      await fill(temp, 1);
      const installed = spawnSync('strace', ['-V']).status === 0;
      expect(installed, 'strace is missing; install it with `apt-get install strace`').toBe(true);
      const inject = `inject=fsync,fdatasync:error=EIO:when=${when}`;
      // Stops at nothing but what it injects into; it would be told of every call otherwise.
      const words = `-f --seccomp-bpf -qq -o /dev/null -e trace=fsync,fdatasync -e ${inject}`;
      const through: [string, ...string[]] = ['strace', ...words.split(' ')];
      const result = await write({ home: temp.home, writers: 4, entries: 400, through });
      // SQLite may do without the sync of a directory; the journal has then made its own.
      if (!result.isDone || when > 3) expect(result.failure).toBe('JOURNAL_UNWRITABLE');
      expect(await checkAfterCrash(temp.places, result.acknowledged)).toEqual([]);
    },
  );

  it('gives a store its name only when all of it is on the disk', async () => {
    using temp = new TempJournal();
    const trace = join(temp.home, 'trace');
    const words = '-f --seccomp-bpf -y -qq -e trace=pwrite64,fsync,rename -o'.split(' ');
    await write({ home: temp.home, entries: 1, through: ['strace', ...words, trace] });
    const steps = readFileSync(trace, 'utf8')
      .split('\n')
      .filter((line) => line.includes('.sqlite.draft'))
      .map((line) => /(?:pwrite64|fsync|rename)(?=\()/.exec(line)?.[0]);
    // One sync is enough, as long as nothing is written after it.
    expect(steps.filter((step) => step !== 'pwrite64')).toEqual(['fsync', 'rename']);
    expect(steps.slice(-3)).toEqual(['pwrite64', 'fsync', 'rename']);
  });

  it(
    'says that it is corrupt when a page in the middle is, and names the entry',
    FAILS_CLOSED,
    async () => {
      using temp = new TempJournal();
      await fill(temp, 200);
      const { storeFile } = temp.places;
      const bytes = readFileSync(storeFile);
      const page = Math.floor(bytes.indexOf('"entry 100"') / PAGE);
      writeFileSync(storeFile, bytes.fill(0xff, page * PAGE, page * PAGE + 512));
      const report = await verifyStore(temp.places);
      expect(report).toMatchObject({ verdict: 'broken' });
      const sequence = report.verdict === 'broken' ? report.fault.sequence : 0;
      await using journal = await temp.open();
      await expect(journal.find(sequence)).rejects.toThrow(code('JOURNAL_CORRUPT'));
    },
  );

  it('is opened by one process only', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const second = await write({ home: temp.home, entries: 10 });
    expect(second).toMatchObject({ opened: false, failure: 'DAEMON_RUNNING' });
    expect(await journal.append([message('undisturbed')])).toMatchObject([{ sequence: 1 }]);
  }, 60_000);

  it('can be verified by others while it is being written', async () => {
    using temp = new TempJournal();
    const reports: string[] = [];
    const writing = write({ home: temp.home, entries: 3000 });
    let isWriting = true;
    void writing.then(() => (isWriting = false));
    while (isWriting) {
      const report = await verifyStore(temp.places).catch(() => undefined);
      if (report !== undefined) reports.push(report.verdict);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await writing).toMatchObject({ isDone: true });
    expect(new Set(reports)).toEqual(new Set(['intact']));
  }, 60_000);
});
