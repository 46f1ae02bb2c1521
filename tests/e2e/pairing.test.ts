import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempHome, tempHome, verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NewDevice, answerOf, listAt, objectOf, pairTogether, startPairing } from './devices.ts';
import { Daemon, Palyra, palyra } from './harness.ts';

let home: TempHome;
let daemon: Daemon;
let address = '';

beforeAll(async () => {
  home = await tempHome();
  daemon = await new Daemon(home.path).ready();
  ({ address } = await daemon.door());
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const errorOf = (text: string) => objectOf(text)['error'];

describe('the command line on the gateway itself', () => {
  it(
    'enrols itself on first use, once, also when several commands start together',
    verifies('identity:local-enrolment'),
    async () => {
      const secret = await readFile(join(home.places.doorDir, 'secret'), 'utf8');
      const ended = await Promise.all([1, 2, 3].map(() => palyra(home.path, 'status')));
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
      const devices = listAt(await answerOf(home.path, 'devices', 'list'), 'devices');
      expect(devices).toMatchObject([{ isLocal: true, kind: 'DEVICE_KIND_CLI' }]);
      expect(await readFile(join(home.places.doorDir, 'secret'), 'utf8')).not.toBe(secret);
    },
  );

  it(
    'keeps what proves it where no other user can read it',
    verifies('identity:local-enrolment'),
    async () => {
      const { doorDir, gatewaysDir } = home.places;
      for (const folder of [doorDir, gatewaysDir]) expect(await modeOf(folder)).toBe('700');
      const files = ['secret', 'gateway.json'].map((name) => join(doorDir, name));
      for (const file of [...files, join(gatewaysDir, 'local.json')]) {
        expect(await modeOf(file), file).toBe('600');
      }
    },
  );
});

describe('a new device', () => {
  it(
    'gets a certificate when a person has confirmed the very key that it shows, not before',
    verifies('pairing:person-confirms'),
    async () => {
      await using other = await tempHome();
      const { pairingId, pin } = await startPairing(home.path);
      const device = new NewDevice(other.path, [address, '--as', 'office'], pin);
      const fingerprint = await device.proven();
      const waiting = listAt(await answerOf(home.path, 'pairing', 'list'), 'pairings').at(-1);
      expect(waiting).toMatchObject({
        pairingId,
        state: 'PAIRING_STATE_PENDING',
        proven: { keyFingerprint: fingerprint },
      });
      expect(await readdir(other.path)).toEqual([]);

      const approve = ['pairing', 'approve', pairingId, '--json'];
      const blind = await palyra(home.path, ...approve);
      expect(blind.code).toBe(2);
      const wrong = await palyra(home.path, ...approve, '--fingerprint', 'a'.repeat(64));
      expect(errorOf(wrong.stdout)).toMatchObject({ code: 'PAIRING_REFUSED', exit: 10 });
      expect(await readdir(other.path)).toEqual([]);

      await answerOf(home.path, 'pairing', 'approve', pairingId, '--fingerprint', fingerprint);
      const paired = await device.end();
      expect(paired.code).toBe(0);
      expect(await modeOf(join(other.places.gatewaysDir, 'office.json'))).toBe('600');
      const status = await palyra(other.path, 'status', '--gateway', 'office');
      expect(status.code).toBe(0);
    },
  );

  it('gets nothing when the person says no', verifies('pairing:person-confirms'), async () => {
    await using other = await tempHome();
    const { pairingId, link } = await startPairing(home.path);
    const device = new NewDevice(other.path, ['-', '--as', 'office'], link);
    await device.proven();
    await answerOf(home.path, 'pairing', 'reject', pairingId);
    const ended = await device.end();
    expect(ended.code).toBe(10);
    expect(await readdir(other.path)).toEqual([]);
  });

  it('can be told no before it has come', verifies('pairing:person-confirms'), async () => {
    const { pairingId } = await startPairing(home.path);
    const answer = await answerOf(home.path, 'pairing', 'reject', pairingId);
    expect(answer['pairing']).toMatchObject({ state: 'PAIRING_STATE_REJECTED' });
  });

  it(
    'finds nothing when the person at the gateway has left with Ctrl-C',
    verifies('pairing:person-confirms'),
    async () => {
      const attending = new Palyra(home.path, ['pairing', 'start']);
      await attending.says('which asks for the link');
      expect(attending.stdout).toContain(`\`palyra pair ${address}\``);
      attending.child.kill('SIGINT');
      const ended = await attending.end();
      expect(ended.stderr).toContain('the pairing has ended: PIN and link are of no use');
      expect(ended.code).toBe(130);
      const last = listAt(await answerOf(home.path, 'pairing', 'list'), 'pairings').at(-1);
      expect(last).toMatchObject({ state: 'PAIRING_STATE_REJECTED' });
    },
  );

  it(
    'is not told its link by an argument, which others could see',
    verifies('pairing:link-is-no-argument'),
    async () => {
      const { pairingId, link } = await startPairing(home.path);
      const ended = await palyra(home.path, 'pair', link);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('palyra pair -');
      expect(`${ended.stdout}${ended.stderr}`).not.toContain(link.slice(-43));
      await answerOf(home.path, 'pairing', 'reject', pairingId);
    },
  );

  it('has five tries, and then the right PIN is of no use', verifies('pairing:pin'), async () => {
    await using other = await tempHome();
    const { pairingId, pin } = await startPairing(home.path);
    const wrong = pin === '000000' ? '000001' : '000000';
    for (let tries = 1; tries <= 5; tries += 1) {
      const ended = await new NewDevice(other.path, [address], wrong).end();
      expect(errorOf(ended.stdout)).toMatchObject({ code: 'PAIRING_REFUSED' });
    }
    const late = await new NewDevice(other.path, [address], pin).end();
    expect(errorOf(late.stdout)).toMatchObject({ code: 'PAIRING_ENDED' });
    const pairings = listAt(await answerOf(home.path, 'pairing', 'list'), 'pairings');
    const ours = pairings.find((one) => one['pairingId'] === pairingId);
    expect(ours).toMatchObject({ tries: 5, reason: expect.stringMatching(/./) });
    expect(await readdir(other.path)).toEqual([]);
  });

  it(
    'is kept in the journal with the hash of what was said',
    verifies('pairing:recorded'),
    async () => {
      const { stdout } = await palyra(home.path, 'journal', 'tail', '-n', '200', '--json');
      const entries = stdout.trim().split('\n').map(objectOf);
      const told = entries
        .map((line) => line['entry'])
        .filter((entry) => typeof entry === 'object');
      const kinds = told.map((entry) => JSON.stringify(entry));
      for (const kind of ['pairing.proven', 'pairing.approved', 'pairing.completed']) {
        const entry = kinds.find((text) => text.includes(`"kind":"${kind}"`)) ?? '';
        expect(entry, kind).toMatch(/"transcriptHash":"[0-9a-f]{64}"/);
      }
    },
  );
});

describe('a device that is revoked', () => {
  it(
    'loses its open streams, and its next request is refused',
    verifies('identity:revocation-at-once'),
    async () => {
      await using other = await tempHome();
      await pairTogether({ gatewayHome: home.path, deviceHome: other.path, address });
      const following = new Palyra(other.path, ['journal', 'tail', '-f']);
      await following.says('pairing.completed');
      await answerOf(home.path, 'devices', 'revoke', 'visitor');
      const ended = await following.end();
      expect(ended.stderr).toContain('error DEVICE_REVOKED:');
      expect(ended.code).toBe(10);
      const next = await palyra(other.path, 'status', '--json');
      expect(errorOf(next.stdout)).toMatchObject({ code: 'DEVICE_REVOKED', exit: 10 });
      await answerOf(home.path, 'devices', 'remove', 'visitor');
    },
  );
});
