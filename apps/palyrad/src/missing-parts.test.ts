import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingParts } from './missing-parts.ts';

const names = (path: string) => missingParts({ PATH: path }).map(({ name }) => name);

describe('missing parts', () => {
  it('are named as long as they are not built', () => {
    expect(names('')).toEqual(
      expect.arrayContaining(['policies', 'approvals', 'sandbox', 'console', 'identity']),
    );
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
});
