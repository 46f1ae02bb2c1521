import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { type TempHome, tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { answerOf, listAt, objectOf, pairTogether, textAt } from './devices.ts';
import { Daemon, palyra } from './harness.ts';

const fileOf = (home: TempHome) => join(home.places.gatewaysDir, 'office.json');

/** As if most of the certificate's life were over; that is all a device goes by. */
async function makeOld(home: TempHome): Promise<JsonObject> {
  const identity = objectOf(await readFile(fileOf(home), 'utf8'));
  const old = { ...identity, notBefore: '2020-01-01T00:00:00.000Z' };
  await writeFile(fileOf(home), JSON.stringify(old), { mode: 0o600 });
  return identity;
}

describe('a new authority', () => {
  it(
    'lets devices of the old one go on, moves each over as it renews, and says who is left',
    verifies('identity:rotation'),
    async () => {
      await using home = await tempHome();
      await using daemon = await new Daemon(home.path).ready();
      await using other = await tempHome();
      const { address } = await daemon.door();
      await pairTogether({ gatewayHome: home.path, deviceHome: other.path, address });
      const unasked = await palyra(home.path, 'identity', 'rotate-ca');
      expect(unasked.code).toBe(2);
      const rotation = await answerOf(home.path, 'identity', 'rotate-ca', '--yes');
      const states = listAt(rotation, 'authorities').map((one) => textAt(one, 'state'));
      expect(states).toEqual(['AUTHORITY_STATE_ACTIVE', 'AUTHORITY_STATE_RETIRING']);
      expect(listAt(rotation, 'notMoved').map((one) => textAt(one, 'name'))).toContain('visitor');
      const [here, there] = await Promise.all([
        palyra(home.path, 'status'),
        palyra(other.path, 'status'),
      ]);
      expect([here.code, there.code]).toEqual([0, 0]);

      const before = await makeOld(other);
      const commands = await Promise.all([1, 2, 3].map(() => palyra(other.path, 'status')));
      expect(commands.map(({ code }) => code)).toEqual([0, 0, 0]);
      const after = objectOf(await readFile(fileOf(other), 'utf8'));
      expect(after['key']).not.toBe(before['key']);
      expect(after['authorityId']).not.toBe(before['authorityId']);

      const again = await answerOf(home.path, 'identity', 'rotate-ca');
      expect(again).toMatchObject({ started: false });
      expect(listAt(again, 'notMoved').map((one) => textAt(one, 'name'))).not.toContain('visitor');
      const { device } = await answerOf(home.path, 'devices', 'show', 'visitor');
      expect(listAt(isJsonObject(device) ? device : {}, 'certificates')).toHaveLength(2);
      expect((await palyra(other.path, 'status')).code).toBe(0);
    },
  );
});
