import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, homeWithScript, palyra } from './harness.ts';

describe('an archived segment', () => {
  it(
    'leaves the store, verifies by itself, and the journal that it left is still intact',
    verifies('journal:verify-live', 'journal:verify-export'),
    async () => {
      const script = [
        [{ tool: 'fs.read', arguments: { path: 'a' } }],
        [{ text: 'x'.repeat(3000) }],
      ];
      await using home = await homeWithScript(script, {
        settings: '[journal]\nsegment_bytes = 4096\n',
      });
      await using daemon = await new Daemon(home.path).ready();
      await palyra(daemon.home, 'run', 'one');
      await palyra(daemon.home, 'run', 'two');

      const answer = JSON.parse((await palyra(daemon.home, 'journal', 'archive', '--json')).stdout);
      expect(answer.answer.segments.length).toBeGreaterThan(1);
      const first = join(answer.archiveDir, answer.answer.segments[0].file);
      expect((await palyra(daemon.home, 'journal', 'verify', first)).code).toBe(0);
      expect((await palyra(daemon.home, 'journal', 'verify')).code).toBe(0);
      const tail = await palyra(daemon.home, 'journal', 'tail', '-n', '1');
      expect(tail.stdout).toContain('journal.archived');

      const whole = join(home.path, 'whole.jsonl');
      const exported = await palyra(daemon.home, 'journal', 'export', '-o', whole);
      expect(exported.stderr).toMatch(/entries 1 to \d+ are not in it: .*`palyra journal archive`/);
      const gone = await palyra(daemon.home, 'journal', 'show', '1');
      expect(gone.stderr).toMatch(
        /^error NOT_FOUND: journal entry `1` is not in the store, which begins with entry \d+\n/,
      );
      expect(gone.code).toBe(5);

      await writeFile(first, (await readFile(first, 'utf8')).replace('"gateway"', '"GATEWAY"'));
      expect((await palyra(daemon.home, 'journal', 'verify', first)).code).not.toBe(0);
    },
  );

  it('stays for a run that was interrupted, which is named with the ways out', async () => {
    await using home = await homeWithScript([[{ text: 'word '.repeat(400) }]], {
      paceMs: 20,
      settings: '[journal]\nsegment_bytes = 4096\n',
    });
    {
      await using daemon = await new Daemon(home.path).ready();
      const run = new Palyra(home.path, ['run', 'x'.repeat(6000)]);
      await run.says('word');
      await daemon.stop('SIGKILL');
      await run.end();
    }
    await using daemon = await new Daemon(home.path).ready();
    const held = JSON.parse((await palyra(daemon.home, 'journal', 'archive', '--json')).stdout);
    const { runId } = held.answer.heldBy;
    expect(held).toMatchObject({
      answer: { heldBy: { status: 'RUN_STATUS_INTERRUPTED', segments: expect.any(Number) } },
      next: [`palyra runs resume ${runId}`, `palyra runs cancel ${runId}`],
    });
    // All that comes before the run has left by now.
    const told = await palyra(daemon.home, 'journal', 'archive');
    expect(told.stdout).toMatch(
      /^nothing was archived\n\n {2}stays {2}\d+ sealed segments?, for a run that was interrupted/,
    );
    expect(told.stdout).toContain(`\n  next   palyra runs resume ${runId}\n`);
    const early = await palyra(daemon.home, 'journal', 'archive', '--before', '1');
    expect(early.stdout).toBe(
      'nothing to archive: no sealed segment in the store ends before entry 1\n',
    );

    expect((await palyra(daemon.home, 'runs', 'cancel', runId)).code).toBe(0);
    const freed = JSON.parse((await palyra(daemon.home, 'journal', 'archive', '--json')).stdout);
    expect(freed.answer.segments.length).toBeGreaterThan(0);
    expect(freed.answer.heldBy).toBeUndefined();
    expect(freed.next).toBeUndefined();
  });
});
