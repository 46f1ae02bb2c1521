import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CheckResult, ConfigLayer, TierState } from '@palyra/protocol';
import { type TempHome, ownClient, tempHome } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

let home: TempHome;
let child: ChildProcess;
let client: Awaited<ReturnType<typeof ownClient>>;

beforeAll(async () => {
  home = await tempHome();
  const daemon = spawn(process.execPath, [MAIN, '--set', 'runs.max_turns=7'], {
    cwd: home.path,
    env: {
      PATH: process.env['PATH'],
      PALYRA_HOME: home.path,
      PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
      PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child = daemon;
  await once(createInterface(daemon.stdout), 'line');
  client = await ownClient(home.places);
});
afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'exit');
  await home[Symbol.asyncDispose]();
});

describe('the configuration as the daemon tells it', () => {
  it('names the layer that won and those that lost, with what they say in TOML', async () => {
    const { sections, file } = await client.config.getConfig({});
    expect(file).toBe(home.places.configFile);
    expect(sections.every(({ description }) => description !== '')).toBe(true);
    const keys = new Map(sections.flatMap((each) => each.keys).map((each) => [each.key, each]));
    expect(keys.get('runs.max_turns')).toMatchObject({
      value: '7',
      origin: { layer: ConfigLayer.FLAG, words: '`--set`' },
      losers: [{ origin: { layer: ConfigLayer.BUILT_IN } }],
      takes: expect.stringContaining('a whole number from'),
    });
    expect(keys.get('transport.listen')).toMatchObject({
      value: '"127.0.0.1:0"',
      defaultValue: '"127.0.0.1:7443"',
      origin: { layer: ConfigLayer.ENVIRONMENT },
    });
    expect(keys.get('sandbox.programs')).toMatchObject({ value: '[]', isSet: true });
  });
});

describe('the doctor of the daemon', () => {
  it('looks at everything that it can see, and finds this one well', async () => {
    const { findings } = await client.doctor.diagnose({});
    const named = findings.map(({ check }) => check);
    for (const check of ['disk space', 'store', 'clock', 'rules', 'certificates', 'sandbox']) {
      expect(named).toContain(check);
    }
    expect(findings.filter(({ result }) => result === CheckResult.FAILED)).toEqual([]);
    for (const { result, fix } of findings) expect(fix === '').toBe(result === CheckResult.OK);
  });
});

describe.runIf(process.platform === 'linux')('the sandboxes as the daemon tells of them', () => {
  it('are proven anew for whoever asks, step by step, once for all who ask at once', async () => {
    const two = [client.sandbox.proveSandbox({}), client.sandbox.proveSandbox({})];
    const [mine = [], theirs = []] = await Promise.all(
      two.map((stream) => Array.fromAsync(stream)),
    );
    const last = mine.at(-1)?.sandbox;
    expect(mine.slice(0, -1).map(({ step }) => step?.step)).toContain('process');
    expect(mine.slice(0, -1).every(({ sandbox }) => sandbox === undefined)).toBe(true);
    expect(theirs.at(-1)?.sandbox?.tiers.map(({ triedAt }) => triedAt)).toEqual(
      last?.tiers.map(({ triedAt }) => triedAt),
    );

    const { sandbox } = await client.sandbox.getSandbox({});
    expect(sandbox?.tiers.map(({ tier }) => tier)).toEqual(['A', 'B', 'C']);
    expect(sandbox?.isProving).toBe(false);
    expect(sandbox?.pool).toMatchObject({ busy: 0, maxWarm: 16, maxBusy: 64 });
    const tierB = sandbox?.tiers.find(({ tier }) => tier === 'B');
    expect(tierB).toMatchObject({ triedAt: last?.tiers[1]?.triedAt });
    for (const { state, steps, posture } of sandbox?.tiers ?? []) {
      if (state !== TierState.PROVEN) continue;
      expect(posture).toContain('attacks refused on');
      expect(steps.find(({ isProven }) => isProven)?.probes.length).toBeGreaterThan(0);
    }
  });
});
