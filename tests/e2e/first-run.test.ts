import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, palyra } from './harness.ts';

describe('the first run of a newcomer', () => {
  it(
    'shows text, every stage of each call, the refusal with its reason, and a journal that verifies',
    verifies('pipeline:deny-by-default', 'journal:verify-live', 'runs:script-is-labelled'),
    async () => {
      await using home = await tempHome();
      await using daemon = await new Daemon(home.path).ready();

      const run = await palyra(daemon.home, 'run', 'what is in this folder?');
      expect(run.stdout).toMatch(/not a language model/);
      expect(run.stdout).toMatch(/proposal.*fs\.read/s);
      expect(run.stdout).toMatch(/no rule allows `fs\.read`/);
      expect(run.stdout).toMatch(/no rule allows `process\.run`/);
      // Not 0: something was refused, and a script that calls `palyra run` must be able to tell.
      expect(run.code).toBe(3);

      const verify = await palyra(daemon.home, 'journal', 'verify', '--json');
      expect(JSON.parse(verify.stdout)).toMatchObject({ verdict: 'intact' });
      expect(verify.code).toBe(0);
    },
  );

  it(
    'can be proven elsewhere: an export verifies with no daemon and no store, a changed one does not',
    verifies('journal:verify-export', 'journal:any-edit-is-caught'),
    async () => {
      await using home = await tempHome();
      await using elsewhere = await tempHome();
      const file = join(elsewhere.path, 'export.jsonl');
      {
        await using daemon = await new Daemon(home.path).ready();
        await palyra(daemon.home, 'run', 'hello');
        expect((await palyra(daemon.home, 'journal', 'export', '-o', file)).code).toBe(0);
      }
      expect((await palyra(elsewhere.path, 'journal', 'verify', file)).code).toBe(0);

      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('"prompt":"hello"', '"prompt":"hallo"'));
      const broken = await palyra(elsewhere.path, 'journal', 'verify', file);
      expect(broken.code).not.toBe(0);
      expect(broken.stdout + broken.stderr).toMatch(/entry/);
    },
  );
});
