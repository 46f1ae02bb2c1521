import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, homeWithScript, palyra } from './harness.ts';

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
});
