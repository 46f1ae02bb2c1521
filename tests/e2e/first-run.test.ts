import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, homeWithScript, palyra } from './harness.ts';

describe('the first run of a newcomer', () => {
  it(
    'shows text, every stage of each call, each refusal with its reason and the way to ask why, and a journal that verifies',
    verifies('pipeline:deny-by-default', 'journal:verify-live', 'runs:script-is-labelled'),
    async () => {
      await using home = await tempHome();
      await using daemon = await new Daemon(home.path).ready();

      const story = new Palyra(daemon.home, ['run', 'what is in this folder?']);
      await story.says(/waits until .* UTC:\s+[0-9A-Z]{26}/);
      const approvalId = /UTC:\s+([0-9A-Z]{26})/.exec(story.stdout)?.[1] ?? '';
      await palyra(daemon.home, 'approvals', 'deny', approvalId, '--reason', 'not today');
      const run = await story.end();
      expect(run.stdout).toMatch(/not a language model/);
      const [, read = '', program = '', mail = ''] = run.stdout.split('\n  tool call ');
      expect(read).toMatch(/^ +fs\.read.*policy +✓ allowed.*approval +– not needed/s);
      expect(program).toMatch(
        /^ +process\.run.*policy +✓ a person decides.*approval +– waits.*✗ denied by .*not\s+today/s,
      );
      expect(mail).toMatch(
        /^ +mail\.send.*policy +✗ denied:\s+there\s+is\s+no\s+such\s+tool,\s+so\s+no\s+rule\s+allows\s+`mail\.send`/s,
      );
      // Not 0: something was refused, and a script that calls `palyra run` must be able to tell.
      expect(run.code).toBe(3);

      const id = /palyra\s+policy\s+explain\s+(01\w+)/.exec(mail)?.[1] ?? '';
      const explained = await palyra(daemon.home, 'policy', 'explain', id);
      expect(explained.stdout).toMatch(/no such tool, so no rule allows `mail\.send`/);
      expect(explained.stdout).toContain('no such tool exists here');
      const status = await palyra(daemon.home, 'status');
      expect(status.stdout).toMatch(/policy +ask, \d+ rules, set [0-9a-f]{12}/);

      const verify = await palyra(daemon.home, 'journal', 'verify', '--json');
      expect(JSON.parse(verify.stdout)).toMatchObject({ verdict: 'intact' });
      expect(verify.code).toBe(0);
    },
  );

  it(
    'can be proven elsewhere: an export verifies with no daemon and no store, a changed one does not',
    verifies('journal:verify-export', 'journal:any-edit-is-caught'),
    async () => {
      await using home = await homeWithScript([[{ text: 'hello' }]]);
      await using elsewhere = await tempHome();
      const file = join(elsewhere.path, 'export.jsonl');
      {
        await using daemon = await new Daemon(home.path).ready();
        await palyra(daemon.home, 'run', 'hello');
        expect((await palyra(daemon.home, 'journal', 'export', '-o', file)).code).toBe(0);
        const piped = await palyra(daemon.home, 'journal', 'export', '-o', '-');
        expect(piped.stdout.startsWith('{')).toBe(true);
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
