import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
let [callId, runId, file] = ['', '', ''];

beforeAll(async () => {
  home = await homeWithModel('hello');
  const turns = [[{ tool: 'no.such-tool', arguments: {} }], [{ text: 'well' }]];
  const script = JSON.stringify({ format: 'palyra.script.v1', pace_ms: 0, turns });
  await writeFile(join(home.path, 'config', 'script.json'), script);
  daemon = await startDaemon(home.path);
  environment = { PALYRA_HOME: home.path, NO_COLOR: '1' };
  const { stdout } = await cli(['run', 'hello', '--json'], { environment });
  callId = /"callId":"([0-9A-Z]{26})"/.exec(stdout)?.[1] ?? '';
  runId = /"runId":"([0-9A-Z]{26})"/.exec(stdout)?.[1] ?? '';
  file = join(home.path, 'call.json');
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

describe('palyra attest', () => {
  it('shows what was decided and signed about a call, by its id', async () => {
    const shown = await cli(['attest', 'show', callId], { environment });
    expect(shown.stdout).toContain(`✓ verified  call ${callId}`);
    expect(shown.stdout).toMatch(/decision +deny\n/);
    expect(shown.stdout).toMatch(/executor +none\n/);
    expect(shown.stdout).toMatch(/signed by +[0-9a-f]{64}\n/);
    expect(shown.code).toBe(0);
  });

  it('exports it to a file of its owner that verifies with no daemon and no home', async () => {
    const exported = await cli(['attest', 'export', callId, '--out', file], { environment });
    expect(exported.code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const verified = await cli(['attest', 'verify', file]);
    expect(verified.stdout).toContain(`✓ verified  call ${callId}`);
    expect(verified.stdout).toContain('the file itself names this key: compare it');
    expect(verified.code).toBe(0);
    const key = /signed by +([0-9a-f]{64})\n/.exec(verified.stdout)?.[1] ?? '';
    const journal = await cli(['journal', 'verify', '--json'], { environment });
    expect(JSON.parse(journal.stdout)).toMatchObject({ keyId: key });
  });

  it('ends with 7 for an attestation that was changed', async () => {
    const { stdout } = await cli(['attest', 'export', callId], { environment });
    const input = stdout.replace(/"payload":"ey/, '"payload":"eX');
    const ended = await cli(['attest', 'verify', '-', '--json'], { input });
    expect(JSON.parse(ended.stdout)).toMatchObject({ kind: 'attestation', verdict: 'broken' });
    expect(ended.code).toBe(7);
  });

  it('ends with 5 for a call that nobody made', async () => {
    const ended = await cli(['attest', 'show', '01ARYZ6S410000000000000001'], { environment });
    expect(ended.code).toBe(5);
  });
});

describe('palyra runs undo', () => {
  it('says that there is nothing to undo where no file was kept, and that programs keep none', async () => {
    const ended = await cli(['runs', 'undo', runId], { environment });
    expect(ended.stdout).toBe(
      'no file was kept, so there is nothing to undo\nwhat a program changed by itself is not kept\n',
    );
    expect(ended.code).toBe(0);
  });
});
