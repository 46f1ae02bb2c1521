import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, Palyra, palyra } from './harness.ts';

/** Nobody is left who could say when the daemon has let go of its store; until then it refuses. */
async function startedAgain(home: string): Promise<Daemon> {
  for (;;) {
    try {
      return await new Daemon(home).ready();
    } catch {
      await sleep(50);
    }
  }
}

describe('a daemon whose `palyra up` is killed', () => {
  it.each([
    ['with its log on our standard error', ['up']],
    ['with its log in a pipe that breaks', ['up', '--json', '--set', 'log.format=pretty']],
  ])(
    'stops cleanly and records why, %s',
    verifies('daemon:ends-with-up'),
    async (_, words: readonly string[]) => {
      await using home = await tempHome();
      const up = new Palyra(home.path, words);
      await up.says(/is ready|"kind":"up"/);
      const killed = once(up.child, 'exit');
      up.child.kill('SIGKILL');
      await killed;

      await using again = await startedAgain(home.path);
      const tail = await palyra(again.home, 'journal', 'tail', '-n', '10', '--json');
      expect(tail.stdout).toContain('"reason":"standard input ended"');
    },
  );
});
