import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../../testing/cli.ts';
import { homeWith } from '../../../testing/daemon.ts';

describe('palyra config set', () => {
  it('writes nothing while a variable is refused, and names it', async () => {
    await using home = await homeWith('# mine\n');
    const environment = { PALYRA_HOME: home.path, PALYRA_RUNS_MAX_TURNS: '0' };
    const ended = await cli(['config', 'set', 'log.level', 'debug'], { environment });
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain('PALYRA_RUNS_MAX_TURNS');
    const text = await readFile(join(home.path, 'config/palyra.toml'), 'utf8');
    expect(text).not.toContain('level');
  });

  it('says of a file with two faults that one of them is left', async () => {
    await using home = await homeWith('[runs]\nmax_queued = 1000\n[log]\nlevel = "loud"\n');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'set', 'log.level', 'debug'], { environment });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('log.level is set in');
    expect(ended.stdout).toContain('the gateway does not start yet: 1 problem left');
    expect(ended.stdout).toContain('runs.max_queued');
  });
});
