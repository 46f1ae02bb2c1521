import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../../testing/cli.ts';
import { homeWith } from '../../../testing/daemon.ts';

describe('palyra config explain', () => {
  it('tells of a refused value which layer said it, what else there is, and the way out', async () => {
    await using home = await homeWith('[runs]\nmax_queued = 1000\n[log]\nlevel = "loud"\n');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'explain', 'runs.max_queued'], { environment });
    const place = `${join(home.path, 'config/palyra.toml')}:2`;
    expect(ended.code).toBe(6);
    expect(ended.stdout).toContain('takes     a whole number from 0 to 256');
    expect(ended.stdout).toContain(`refused  user ${place}`);
    expect(ended.stdout).toContain('16  built-in');
    expect(ended.stdout.replace(/\s+/g, ' ')).toContain(
      `try: correct it in ${place}, or take it out there`,
    );
    expect(ended.stdout).toContain('1 other problem: `palyra config validate` lists all');
    expect(ended.stdout).not.toContain('palyra config explain');
  });

  it('marks the layer that would win while another key is refused', async () => {
    await using home = await homeWith('[runs]\nmax_queued = 3\n[log]\nlevel = "loud"\n');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'explain', 'runs.max_queued'], { environment });
    expect(ended.code).toBe(6);
    expect(ended.stdout).toMatch(/✓ 3 {2}user .*\n.*– 16 {2}built-in\n/);
    expect(ended.stdout).toContain('The gateway does not start with this.');
    expect(ended.stdout).toContain('1 other problem: `palyra config validate` lists all');
  });

  it('says that a file which cannot be read may say something else', async () => {
    await using home = await homeWith('[runs\n');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'explain', 'runs.max_queued'], { environment });
    expect(ended.code).toBe(6);
    expect(ended.stdout).toContain('! 16  built-in, unless a file that cannot be read sets it');
    expect(ended.stdout).toContain('is not valid TOML');
  });

  it('shows a value that contradicts another once, as the one that would win', async () => {
    await using home = await homeWith('[models]\nbase_url = "http://10.0.0.5/v1"\n');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'explain', 'models.base_url'], { environment });
    expect(ended.code).toBe(6);
    expect(ended.stdout).toMatch(/✓ "http:\/\/10\.0\.0\.5\/v1" {2}user .*\n.*– "" {2}built-in\n/);
    expect(ended.stdout).not.toContain('refused');
  });

  it('says what holds where nothing is refused', async () => {
    await using home = await homeWith('[runs]\nmax_queued = 3\n');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'explain', 'runs.max_queued'], { environment });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/✓ 3 {2}user .*\n.* 16 {2}built-in\n$/);
  });
});
