import { symlink, writeFile } from 'node:fs/promises';
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

  it('blames the variable where it names the file', async () => {
    await using home = await homeWith('');
    const environment = { PALYRA_HOME: home.path, PALYRA_CONFIG: join(home.path, 'gone.toml') };
    const ended = await cli(['config', 'validate'], { environment });
    expect(ended.stdout).toContain('correct `PALYRA_CONFIG`');
  });
});
