import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingParts } from './missing-parts.ts';

const names = (path: string) => missingParts({ PATH: path }).map(({ name }) => name);

describe('missing parts', () => {
  it('are named as long as they are not built', () => {
    expect(names('')).toEqual(expect.arrayContaining(['tools']));
  });

  it.runIf(process.platform === 'linux')('count bubblewrap until it is installed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'palyra-'));
    try {
      expect(names(directory)).toContain('bubblewrap');
      await writeFile(join(directory, 'bwrap'), '');
      await chmod(join(directory, 'bwrap'), 0o755);
      expect(names(`/nowhere:${directory}`)).not.toContain('bubblewrap');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.runIf(process.platform === 'linux').each([
    [0, 'install it with `apt-get install bubblewrap`'],
    [1000, 'install it with `sudo apt-get install bubblewrap`'],
  ])('name the command that works for user %i', (uid, help) => {
    expect(missingParts({ PATH: '' }, uid).at(-1)).toMatchObject({ name: 'bubblewrap', help });
  });
});
