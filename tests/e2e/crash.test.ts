import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, homeWithScript, palyra } from './harness.ts';

const words = Array.from({ length: 400 }, (_, place) => `word${place}`).join(' ');
const script = [
  [{ text: 'looking. ' }, { tool: 'mail.send', arguments: { to: 'ada' } }],
  [{ text: words }],
  [{ text: 'never reached' }],
];

function runIdOf(listing: string): string {
  return JSON.parse(listing).runs[0].runId;
}

describe('a daemon that is killed in the middle of a run', () => {
  it(
    'finds the run interrupted at its next start, goes on with it, and repeats nothing',
    verifies('runs:crash-is-interrupted', 'runs:resume-from-journal', 'runs:nothing-runs-twice'),
    async () => {
      await using home = await homeWithScript(script, { paceMs: 10 });
      {
        await using daemon = await new Daemon(home.path).ready();
        const run = new Palyra(home.path, ['run', 'go']);
        await run.says('word3');
        await daemon.stop('SIGKILL');
        expect((await run.end()).code).not.toBe(0);
      }
      await using again = await new Daemon(home.path).ready();
      const listing = await palyra(again.home, 'runs', 'list', '--json');
      expect(JSON.parse(listing.stdout)).toMatchObject({
        runs: [{ status: 'RUN_STATUS_INTERRUPTED' }],
      });

      const resumed = await palyra(again.home, 'runs', 'resume', runIdOf(listing.stdout));
      expect(resumed.stdout).toContain('word399');
      expect(resumed.code).toBe(3);

      const journal = await palyra(again.home, 'journal', 'tail', '-n', '100', '--json');
      expect(journal.stdout.match(/"tool\.proposed"/g)).toHaveLength(1);
      expect(journal.stdout).toContain('run.interrupted');
      expect((await palyra(again.home, 'journal', 'verify')).code).toBe(0);
    },
  );
});

describe('cancelling', () => {
  const endless = [[{ text: words }]];

  it(
    'with Ctrl-C ends the run at once and is recorded',
    verifies('runs:cancel-is-recorded'),
    async () => {
      await using home = await homeWithScript(endless, { paceMs: 50 });
      await using daemon = await new Daemon(home.path).ready();
      const run = new Palyra(home.path, ['run', 'go']);
      await run.says('word1');
      run.child.kill('SIGINT');
      const ended = await run.end();
      expect(ended.code).not.toBe(0);
      expect(ended.stdout + ended.stderr).toMatch(/cancel/i);
      const listing = await palyra(daemon.home, 'runs', 'list', '--json');
      expect(JSON.parse(listing.stdout)).toMatchObject({
        runs: [{ status: 'RUN_STATUS_CANCELLED' }],
      });
    },
  );

  it(
    'from another terminal ends the run for its watcher too',
    verifies('runs:cancel-is-recorded'),
    async () => {
      await using home = await homeWithScript(endless, { paceMs: 50 });
      await using daemon = await new Daemon(home.path).ready();
      const run = new Palyra(home.path, ['run', 'go']);
      await run.says('word1');
      const listing = await palyra(daemon.home, 'runs', 'list', '--json');
      expect((await palyra(daemon.home, 'runs', 'cancel', runIdOf(listing.stdout))).code).toBe(0);
      expect((await run.end()).stdout).toMatch(/cancel/i);
    },
  );
});

describe('a journal with a damaged page', () => {
  const PAGE_BYTES = 4096;
  const story = [
    [{ text: `needle ${words} ${words} ${words}` }],
    ...Array.from({ length: 8 }, () => [{ text: `${words} ${words} ${words}` }]),
  ];

  it(
    'stops the gateway from doing anything as soon as that was seen',
    verifies('journal:fails-closed'),
    async () => {
      await using home = await homeWithScript(story, { paceMs: 0 });
      {
        await using daemon = await new Daemon(home.path).ready();
        for (let left = 6; left > 0; left -= 1) await palyra(daemon.home, 'run', 'go');
        await daemon.stop('SIGTERM');
      }
      const store = join(home.path, 'state/store/palyra.sqlite');
      const bytes = await readFile(store);
      const page = Math.floor(bytes.indexOf('needle') / PAGE_BYTES);
      await writeFile(store, bytes.fill(0xff, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));

      await using daemon = await new Daemon(home.path).ready();
      const seen = await palyra(daemon.home, 'journal', 'tail', '-n', '1000');
      expect([seen.code, seen.stderr]).toEqual([7, expect.stringContaining('JOURNAL_CORRUPT')]);
      const refused = await palyra(daemon.home, 'run', 'go');
      expect([refused.code, refused.stderr]).toEqual([
        7,
        expect.stringContaining('JOURNAL_CORRUPT'),
      ]);
      const status = await palyra(daemon.home, 'status');
      expect(status.stdout).toContain('the journal is damaged');
      expect(status.code).not.toBe(0);
    },
  );
});

describe('stopping the daemon', () => {
  it('drains: the active run is on record as interrupted', verifies('daemon:drains'), async () => {
    await using home = await homeWithScript([[{ text: words }]], {
      paceMs: 100,
      settings: '[transport]\ndrain_ms = 100\n',
    });
    {
      await using daemon = await new Daemon(home.path).ready();
      const run = new Palyra(home.path, ['run', 'go']);
      await run.says('word1');
      expect(await daemon.stop('SIGTERM')).toBe(0);
      await run.end();
    }
    await using again = await new Daemon(home.path).ready();
    const listing = await palyra(again.home, 'runs', 'list', '--json');
    expect(JSON.parse(listing.stdout)).toMatchObject({
      runs: [{ status: 'RUN_STATUS_INTERRUPTED' }],
    });
  });
});
