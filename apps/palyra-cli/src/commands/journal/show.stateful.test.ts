import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../../testing/cli.ts';
import {
  type Home,
  type RunningDaemon,
  homeWithModel,
  startDaemon,
} from '../../../testing/daemon.ts';

let home: Home;
let daemon: RunningDaemon;
let environment: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  home = await homeWithModel('hello');
  daemon = await startDaemon(home.path);
  environment = { PALYRA_HOME: home.path, NO_COLOR: '1' };
  await cli(['run', 'hello'], { environment });
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

describe('palyra journal show', () => {
  it('lets the next entry confirm the one that is shown', async () => {
    const ended = await cli(['journal', 'show', '1'], { environment });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('\n  ✓ the next entry confirms it\n');
  });

  it('says that nothing confirms the newest one yet', async () => {
    const newest = await cli(['journal', 'tail', '-n', '1', '--json'], { environment });
    const sequence = /"sequence":"(\d+)"/.exec(newest.stdout)?.[1] ?? '';
    const ended = await cli(['journal', 'show', sequence], { environment });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('\n  – it is the newest entry; `palyra journal verify` checks');
    const json = await cli(['journal', 'show', sequence, '--json'], { environment });
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'entry', chain: 'newest' });
  });

  it('ends with 5 for an entry that does not exist', async () => {
    expect((await cli(['journal', 'show', '999999'], { environment })).code).toBe(5);
  });
});

describe('palyra journal tail', () => {
  it('finds each entry to follow from the one before it', async () => {
    const ended = await cli(['journal', 'tail', '-n', '10000', '--json'], { environment });
    expect(ended.code).toBe(0);
    expect(ended.stdout.trim().split('\n').length).toBeGreaterThan(5);
  });
});
