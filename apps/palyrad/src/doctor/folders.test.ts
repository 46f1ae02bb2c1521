import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesFor } from '@palyra/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examine } from './check.ts';
import { folderChecks } from './folders.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-doctor-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function stateDir(of = home) {
  const places = placesFor({ PALYRA_HOME: of });
  if (places === undefined) throw new Error('an absolute home has places');
  const findings = await examine(folderChecks(places));
  return findings.find(({ check }) => check === 'state directory');
}

describe('the check of a directory', () => {
  it('is content with one that does not exist yet', async () => {
    expect(await stateDir()).toMatchObject({ result: 'ok' });
  });

  it('is content with one that only its owner can enter', async () => {
    await mkdir(join(home, 'state'), { mode: 0o700 });
    expect(await stateDir()).toMatchObject({ result: 'ok' });
  });

  it('names the command that closes one that is open to others', async () => {
    await mkdir(join(home, 'state'));
    await chmod(join(home, 'state'), 0o750);
    expect(await stateDir()).toMatchObject({
      result: 'failed',
      detail: `${home}/state is open to other users`,
      fix: `chmod 700 ${home}/state`,
    });
  });

  it('does not call one absent that cannot be looked at', async () => {
    expect(await stateDir(join(home, 'x'.repeat(300)))).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('cannot be looked at: ENAMETOOLONG'),
    });
  });

  it('does not take a symbolic link for a directory', async () => {
    await symlink(tmpdir(), join(home, 'state'));
    expect(await stateDir()).toMatchObject({ result: 'failed' });
  });
});
