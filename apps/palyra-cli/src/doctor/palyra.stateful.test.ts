import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../testing/cli.ts';
import { homeWith, startDaemon } from '../../testing/daemon.ts';

it('a store that is gone is told by the doctor as by `journal verify`', async () => {
  await using home = await homeWith('');
  await (await startDaemon(home.path))[Symbol.asyncDispose]();
  await rm(join(home.path, 'state/store'), { recursive: true });
  const environment = { PALYRA_HOME: home.path };
  const [verified, doctor] = await Promise.all([
    cli(['journal', 'verify'], { environment }),
    cli(['doctor', '--json'], { environment }),
  ]);
  expect(verified).toMatchObject({ code: 7, stdout: expect.stringContaining('store is gone') });
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({
        check: 'journal intact',
        result: 'failed',
        detail: 'broken at entry 1: the signing key is there and the store is gone',
        fix: 'restore the store from a backup, or move the key away to begin a new journal',
      }),
    ]),
  });
  expect(doctor.code).toBe(1);
});

it('no journal at all is how every installation begins', async () => {
  await using home = await homeWith('');
  const ended = await cli(['doctor', '--json'], { environment: { PALYRA_HOME: home.path } });
  const begun = { check: 'journal intact', result: 'ok', detail: 'no journal yet' };
  expect(JSON.parse(ended.stdout)).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining(begun)]),
  });
});
