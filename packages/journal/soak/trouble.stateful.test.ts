import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { message, TempJournal } from '../test/temp-journal.ts';
import { verifyStore } from '../src/index.ts';
import { checkAfterCrash } from './crash-campaign.ts';
import { runWriter } from './run-writer.ts';

const PAGE = 4096;
const code = (expected: string) => expect.objectContaining({ code: expected });

/** Shell text that makes a directory read-only or small for what it starts, and only for that. */
function inOwnMounts(mount: string): [string, ...string[]] {
  return ['unshare', '-rm', 'sh', '-ec', `${mount}; exec "$@"`, 'sh'];
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
      const result = await runWriter({ home: temp.home, through });
      expect(result).toMatchObject({ opened: true, failure: 'JOURNAL_UNWRITABLE' });
      expect(result.acknowledged.size).toBeGreaterThan(10);
      expect(await checkAfterCrash(temp.places, result.acknowledged)).toEqual([]);
    },
  );

  it('refuses on a full disk', FAILS_CLOSED, async () => {
    using temp = new TempJournal();
    const mount = `mount -t tmpfs -o size=1m,mode=700 none '${temp.home}'`;
    const result = await runWriter({ home: temp.home, through: inOwnMounts(mount) });
    expect(result).toMatchObject({ opened: true, failure: 'JOURNAL_UNWRITABLE' });
  });

  it('refuses on a read-only disk', FAILS_CLOSED, async () => {
    using temp = new TempJournal();
    await fill(temp);
    const mount = `mount --bind '${temp.home}' '${temp.home}'; mount -o remount,bind,ro '${temp.home}'`;
    const result = await runWriter({ home: temp.home, through: inOwnMounts(mount) });
    expect(result).toMatchObject({ opened: false, failure: 'JOURNAL_UNWRITABLE' });
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 50 });
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
      const through: [string, ...string[]] = [
        'strace',
        '-f',
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        inject,
      ];
      const result = await runWriter({ home: temp.home, writers: 4, entries: 400, through });
      // SQLite may do without the sync of a directory; the journal has then made its own.
      if (!result.isDone || when > 3) expect(result.failure).toBe('JOURNAL_UNWRITABLE');
      expect(await checkAfterCrash(temp.places, result.acknowledged)).toEqual([]);
    },
  );

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
    const second = await runWriter({ home: temp.home, entries: 10 });
    expect(second).toMatchObject({ opened: false, failure: 'DAEMON_RUNNING' });
    expect(await journal.append([message('undisturbed')])).toMatchObject([{ sequence: 1 }]);
  }, 60_000);

  it('can be verified by others while it is being written', async () => {
    using temp = new TempJournal();
    const reports: string[] = [];
    const writing = runWriter({ home: temp.home, entries: 3000 });
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
