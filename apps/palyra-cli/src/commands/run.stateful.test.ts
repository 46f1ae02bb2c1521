import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, endOf, startCli } from '../../testing/cli.ts';
import {
  type Home,
  type RunningDaemon,
  homeWithSlowModel,
  startDaemon,
} from '../../testing/daemon.ts';

let home: Home;
let daemon: RunningDaemon;
let environment: Readonly<Record<string, string>> = {};

/** A run would take minutes, so one that has ended was cancelled. */
beforeAll(async () => {
  home = await homeWithSlowModel();
  daemon = await startDaemon(home.path);
  environment = { PALYRA_HOME: home.path, NO_COLOR: '1' };
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

describe('palyra run', () => {
  it.each([60, 90, 120, 150, 180, 220, 280, 400])(
    'leaves no run behind when Ctrl-C comes after %i ms',
    async (ms) => {
      const prompt = `interrupted after ${ms} ms`;
      const child = startCli(['run', prompt], { environment });
      const ended = endOf(child);
      await delay(ms);
      child.kill('SIGINT');
      const { code } = await ended;
      // Before it listens to signals it has asked nothing yet, and the signal itself ends it.
      if (code === null) expect(child.signalCode).toBe('SIGINT');
      else expect(code).toBe(130);
      const runs = (await answerOf('runs', 'list', '-n', '100'))['runs'];
      const statuses = (Array.isArray(runs) ? runs.filter(isJsonObject) : [])
        .filter((run) => run['prompt'] === prompt)
        .map((run) => run['status']);
      expect([[], ['RUN_STATUS_CANCELLED']]).toContainEqual(statuses);
    },
  );

  it('takes a prompt that is too long for a command line from standard input', async () => {
    const prompt = `${'long '.repeat(40_000)}\n`;
    const child = startCli(['run', '-'], { environment, input: prompt });
    const ended = endOf(child);
    for await (const chunk of child.stdout) {
      if (String(chunk).includes('word')) child.kill('SIGINT');
    }
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    const runId = /^run ([0-9A-Z]{26}) /.exec(stdout)?.[1] ?? '';
    const run = (await answerOf('runs', 'show', runId))['run'];
    expect(run).toMatchObject({ prompt, status: 'RUN_STATUS_CANCELLED' });
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'says how to go on when the gateway ends under it by %s',
    async (signal) => {
      const child = startCli(['run', 'hi'], { environment });
      const ended = endOf(child);
      for await (const chunk of child.stdout) {
        if (String(chunk).includes('word')) daemon.child.kill(signal);
      }
      const { code, stdout, stderr } = await ended;
      const runId = /^run ([0-9A-Z]{26}) /.exec(stdout)?.[1] ?? '';
      expect(code).toBe(9);
      expect(stdout + stderr).toContain(`palyra runs resume ${runId}`);
      expect(stderr).toContain('palyra up');
      await daemon[Symbol.asyncDispose]();
      daemon = await startDaemon(home.path);
      const { stdout: shown } = await cli(['runs', 'show', runId], { environment });
      expect(shown).toContain(`palyra runs resume ${runId}`);
    },
  );
});

async function answerOf(...words: readonly string[]): Promise<JsonObject> {
  const { stdout } = await cli([...words, '--json'], { environment });
  const answer: unknown = JSON.parse(stdout);
  if (!isJsonObject(answer)) throw new Error(`no answer: ${stdout}`);
  return answer;
}
