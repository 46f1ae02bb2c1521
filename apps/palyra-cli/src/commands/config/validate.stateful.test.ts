import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../../testing/cli.ts';
import { homeWith } from '../../../testing/daemon.ts';

describe('palyra config validate FILE', () => {
  it.each([
    { is: 'missing', make: () => Promise.resolve(), why: 'there is no such file' },
    {
      is: 'too large',
      make: (file: string) => writeFile(file, '#'.repeat(200_000), { mode: 0o600 }),
      why: 'over 131072 bytes',
    },
    {
      is: 'a symbolic link',
      make: (file: string) => symlink('config/palyra.toml', file),
      why: 'it is a symbolic link',
    },
  ])('names a file that is $is, and no variable that nobody has set', async ({ make, why }) => {
    await using home = await homeWith('');
    const file = join(home.path, 'mine.toml');
    await make(file);
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'validate', file, '--json'], { environment });
    expect(ended.code).toBe(6);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      isValid: false,
      problems: [
        {
          message: `${file} cannot be used: ${why}`,
          help: `mend \`${file}\`, or name another file`,
        },
      ],
    });
    expect(ended.stdout).not.toContain('PALYRA_CONFIG');
  });

  it('judges the file by itself, whatever the other layers say', async () => {
    await using home = await homeWith('[log]\nlevel = "loud"\n');
    const file = join(home.path, 'good.toml');
    await writeFile(file, '[log]\nlevel = "debug"\n', { mode: 0o600 });
    const environment = { PALYRA_HOME: home.path, PALYRA_RUNS_MAX_TURNS: '0' };
    const ended = await cli(['config', 'validate', file], { environment });
    expect(ended.stdout).toContain('✓ valid by itself, without the other layers');
    expect(ended.code).toBe(0);
  });

  it('leaves the rights of a file alone that is not one of the gateway', async () => {
    await using home = await homeWith('');
    const file = join(home.path, 'palyra.toml');
    await writeFile(file, '[runs]\nmax_turns = 5\n');
    await chmod(file, 0o644);
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'validate', file], { environment });
    expect(ended).toMatchObject({ code: 0 });
  });

  it('lists each fault of your own file once', async () => {
    await using home = await homeWith('[log]\nlevel = "loud"\n[runs]\nmax_turns = 0\n');
    const file = join(home.path, 'config/palyra.toml');
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['config', 'validate', file, '--json'], { environment });
    expect(ended.code).toBe(6);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      isValid: false,
      problems: [
        { key: 'log.level', origin: { kind: 'user', line: 2 } },
        { key: 'runs.max_turns', origin: { kind: 'user', line: 4 } },
      ],
    });
  });

  it('minds the rights of a file that the gateway would load from there', async () => {
    await using home = await homeWith('');
    const file = join(home.path, 'config/palyra.toml');
    const named = join(home.path, 'named.toml');
    await writeFile(named, '');
    for (const path of [file, named]) await chmod(path, 0o644);
    const environment = { PALYRA_HOME: home.path, PALYRA_CONFIG: named };
    for (const path of [file, named]) {
      const ended = await cli(['config', 'validate', path], { environment });
      expect(ended.code).not.toBe(0);
      expect(ended.stdout).toContain('chmod 600');
    }
  });

  it('ends as for any other bad setting where one asks for what is not built', async () => {
    await using home = await homeWith('[deployment]\nprofile = "worker-enabled"\n');
    const ended = await cli(['config', 'validate'], { environment: { PALYRA_HOME: home.path } });
    expect(ended.stdout).toContain('use the profile `single-vm`');
    expect(ended.code).toBe(6);
  });

  it('blames the variable where it names the file', async () => {
    await using home = await homeWith('');
    const environment = { PALYRA_HOME: home.path, PALYRA_CONFIG: join(home.path, 'gone.toml') };
    const ended = await cli(['config', 'validate'], { environment });
    expect(ended.stdout).toContain('correct `PALYRA_CONFIG`');
  });
});
