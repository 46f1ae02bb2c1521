import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { openKeyring } from './key-at-rest.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'later-start.fixture.ts');

describe('a key at rest, as other processes see it', () => {
  it('is the same for all daemons that start at once, and so is its passphrase', async () => {
    await using home = await tempHome();
    const starts = Array.from({ length: 6 }, async () => {
      const { stdout } = await run(process.execPath, [
        PROGRAM,
        '--home',
        home.path,
        '--act',
        'key',
      ]);
      return stdout;
    });
    const keys = await Promise.all(starts);
    expect(keys[0]).toContain('BEGIN PUBLIC KEY');
    expect(new Set(keys).size).toBe(1);
  });

  it('is refused as unsafe when it is a pipe that nobody writes to', async () => {
    await using home = await tempHome();
    const keyring = openKeyring(home.places, 'make');
    await run('mkfifo', ['-m', '600', `${home.places.keysDir}/a.key`]);
    expect(() => keyring.read('a.key')).toThrow(/is not a plain file/);
  });
});
