import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../testing/cli.ts';
import { homeWith, startDaemon } from '../../testing/daemon.ts';

it('`palyra version` leaves it to the doctor to say what is wrong with the files of Palyra', async () => {
  await using home = await homeWith('');
  await using _daemon = await startDaemon(home.path);
  await chmod(join(home.path, 'state/door/gateway.json'), 0o644);
  const ended = await cli(['version'], { environment: { PALYRA_HOME: home.path } });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(
    /palyrad +unknown: its files cannot be used, `palyra doctor` says why\n/,
  );
  expect(ended.stdout).not.toContain(home.path);
});
