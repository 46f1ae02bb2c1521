import type { ConnectionOptions } from 'node:tls';
import { createClient, grpcOverTls, pairWith } from '@palyra/client';
import { createGateway } from '@palyra/gateway';
import { createIdentity, identitySection } from '@palyra/identity';
import { type Clock, createIds, systemClock } from '@palyra/kernel';
import { DeviceKind, PairingState, Permission, Role } from '@palyra/protocol';
import {
  type PairedDevice,
  pairedDevice,
  quietLog,
  shippedRules,
  testAuthority,
  testGateway,
  testTransportParts,
  verifies,
} from '@palyra/testkit';
import { openDoors } from '@palyra/transport';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, callText, dialAs } from './dial.ts';
import {
  type Forger,
  type Forgery,
  forger,
  likeness,
  selfMade,
  stolenAuthority,
} from './forged.ts';
import { standingOf } from './standing.ts';
import { type Workspace, openWorkspace } from './workspace.ts';

let workspace: Workspace;
let device: PairedDevice;
let authority: Forger;
beforeAll(async () => {
  workspace = await openWorkspace();
  device = await pairedDevice(workspace.test, workspace.doors.device);
  authority = forger(await stolenAuthority(workspace.test.home, workspace.gateway));
}, 60_000);
afterAll(() => workspace[Symbol.asyncDispose]());

const dial = (options: ConnectionOptions = {}) => dialAs(device, options);

const HEALTH = callText('palyra.v1.HealthService/GetHealth', '{}');
/** What a thief would do first: a token that outlives the certificate. */
const MINT = callText(
  'palyra.v1.TokenService/CreateToken',
  '{"label":"thief","scopes":["PERMISSION_OBSERVABILITY_READ"]}',
);

const NOTHING: Forgery = { cert: '', key: '' };
const NOBODY = '01JZ8Q6Y7D0M3W5K9RB2XN4TFC';

/** A device that was let in and then sent away. */
async function sentAway(how: 'revoke' | 'remove'): Promise<Forgery> {
  const { test, doors, gateway, owner } = workspace;
  const { certificate, key, deviceId } = await pairedDevice(test, doors.device, `${how}d`);
  await gateway.identity.devices.revoke(deviceId, owner);
  if (how === 'remove') await gateway.identity.devices.remove(deviceId, owner);
  return { cert: certificate, key };
}

const serverItself = async (): Promise<Forgery> => {
  const [credential] = await workspace.gateway.identity.authorities.serverCredentials();
  return { cert: credential?.certificatePem ?? '', key: credential?.keyPem ?? '' };
};

const ours = () => [device.deviceId];
const CERTIFICATES: readonly (readonly [string, () => Promise<Forgery>, RegExp])[] = [
  ['none', async () => NOTHING, /^HTTP\/1\.1 401 .*unauthenticated/s],
  ['one that has expired', () => authority.issue({ devices: ours(), life: [-25, -1] }), /^$/],
  ['one that is not valid yet', () => authority.issue({ devices: ours(), life: [1, 24] }), /^$/],
  [
    'one of a foreign authority',
    async () => {
      const foreign = await testAuthority(systemClock().now());
      const value = `palyra://device.palyra.internal/${device.deviceId}`;
      return await foreign.issue({ names: [{ type: 'url', value }] });
    },
    /^$/,
  ],
  [
    'one of an authority that looks like ours',
    async () => forger(await likeness(authority.certificate)).issue({ devices: ours() }),
    /^$/,
  ],
  ['one that it made itself', () => selfMade(device.deviceId), /^$/],
  ['that of the gateway', serverItself, /^$/],
  ['one for servers', () => authority.issue({ devices: ours(), usages: ['server'] }), /^$/],
  ['that of the authority itself', async () => authority.own, /^$/],
  [
    'one of an authority below ours',
    async () => (await authority.below()).issue({ devices: ours() }),
    /^$/,
  ],
  ['that of a device that was revoked', () => sentAway('revoke'), /^HTTP\/1\.1 40[13] .*revoked/s],
  ['that of a device that was removed', () => sentAway('remove'), /^HTTP\/1\.1 40[13] .*revoked/s],
  [
    'one of ours with the name of a device, for another key',
    () => authority.issue({ devices: ours() }),
    /^HTTP\/1\.1 40[13] .*revoked/s,
  ],
  [
    'one of ours for no particular use',
    () => authority.issue({ devices: ours(), usages: [] }),
    /^HTTP\/1\.1 40[13] .*revoked/s,
  ],
  [
    'one of ours for a device that does not exist',
    () => authority.issue({ devices: [NOBODY] }),
    /^HTTP\/1\.1 40[13] .*revoked/s,
  ],
  [
    'one of ours with the names of two devices',
    () => authority.issue({ devices: [device.deviceId, NOBODY] }),
    /^HTTP\/1\.1 401 .*unauthenticated/s,
  ],
  [
    'one of ours with no name',
    () => authority.issue({ devices: [] }),
    /^(?:$|HTTP\/1\.1 401 .*unauthenticated)/s,
  ],
];

describe('whoever calls with a certificate:', () => {
  it.each(CERTIFICATES)(
    '%s, is refused at every protocol and changes nothing',
    verifies('identity:bad-certificates-refused'),
    async (_name, make, refusal) => {
      const { cert, key } = await make();
      const before = await standingOf(workspace);
      for (const words of [HEALTH, MINT]) {
        expect(await answerTo(dial({ cert, key }), words)).toMatch(refusal);
        const carried = dial({ cert, key, ALPNProtocols: ['palyra-console/1'] });
        expect(await answerTo(carried, words)).not.toContain('200 OK');
      }
      const { tokens } = createClient(grpcOverTls({ ...device, certificate: cert, key }));
      const scopes = [Permission.OBSERVABILITY_READ];
      await expect(tokens.createToken({ label: 'thief', scopes })).rejects.toMatchObject({
        code: expect.stringMatching(/^(UNAUTHENTICATED|NOT_PAIRED|DEVICE_REVOKED)$/),
      });
      expect(await standingOf(workspace)).toEqual(before);
    },
  );

  it(
    'the one that it was given is let in, by the very same calls',
    verifies('identity:bad-certificates-refused'),
    async () => {
      const { registry } = await standingOf(workspace);
      expect(await answerTo(dial(), HEALTH)).toContain('200 OK');
      expect(await answerTo(dial(), MINT)).toContain('200 OK');
      expect((await standingOf(workspace)).registry).not.toBe(registry);
    },
  );
});

const BACK_AT_WORK = { health: expect.objectContaining({ activeRuns: 0 }) };

describe('clocks that do not agree', () => {
  it.each([-4, 4])(
    'by %i minutes do not matter',
    verifies('identity:bad-certificates-refused'),
    async (minutes) => {
      await using off = await gatewayAt(wrongClock(minutes));
      const { health } = createClient(grpcOverTls(await pairedDevice(off.test, off.doors.device)));
      expect({ health: await health.getHealth({}) }).toMatchObject(BACK_AT_WORK);
    },
  );

  it.each([
    ['hours ahead', 180],
    // By then what it signs has ended for everybody else.
    ['months behind', -60 * 24 * 60],
  ])(
    'by %s mean that neither side believes the other',
    verifies('identity:bad-certificates-refused'),
    async (_name, minutes) => {
      await using off = await gatewayAt(wrongClock(minutes));
      const before = await standingOf(off);
      await expect(pairedDevice(off.test, off.doors.device)).rejects.toMatchObject({
        code: 'GATEWAY_UNTRUSTED',
      });
      expect(await standingOf(off)).toEqual(before);
    },
  );

  it(
    'because that of the gateway went back, bring nothing back that has ended',
    verifies('identity:bad-certificates-refused', 'pairing:pin'),
    async () => {
      const clock = wrongClock(0);
      await using off = await gatewayAt(clock);
      const { identity } = off.gateway;
      const { address, ...good } = await pairedDevice(off.test, off.doors.device, 'good');
      const bad = await pairedDevice(off.test, off.doors.device, 'bad');
      const [owner] = await identity.members.list();
      const caller = { ...workspace.owner, principal: `user:${owner?.userId}` };
      const mine = {
        ...caller,
        member: { userId: owner?.userId ?? '', name: 'x', role: Role.OWNER },
      };
      await identity.devices.revoke(bad.deviceId, mine);
      const { pairing, pin } = await identity.pairing.start('', mine);
      clock.set(6);
      await off.sweep();
      clock.set(-3 * 60);
      const before = await standingOf(off);
      const { health } = createClient(grpcOverTls(bad));
      await expect(health.getHealth({})).rejects.toMatchObject({ code: 'DEVICE_REVOKED' });
      const late = pairWith({
        places: off.test.home.places,
        gateway: 'late',
        addresses: [address],
        secret: { kind: 'pin', pin },
        name: 'late',
        kind: DeviceKind.CLI,
        signal: AbortSignal.timeout(60_000),
      });
      await expect(late).rejects.toMatchObject({ code: 'PAIRING_ENDED' });
      expect(await standingOf(off)).toEqual(before);
      expect(before.pairings).toContain(`${pairing.pairingId} ${PairingState.EXPIRED} 0`);
      const back = createClient(grpcOverTls({ ...good, address }));
      expect({ health: await back.health.getHealth({}) }).toMatchObject(BACK_AT_WORK);
    },
  );
});

/** A clock that is off by some minutes, and can be set. */
function wrongClock(minutes: number): Clock & { set(minutes: number): void } {
  let offMs = minutes * 60_000;
  return {
    ...systemClock(),
    now: () => new Date(systemClock().now().getTime() + offMs),
    set: (wanted) => {
      offMs = wanted * 60_000;
    },
  };
}

interface OffGateway extends AsyncDisposable, Pick<Workspace, 'test' | 'gateway' | 'doors'> {
  sweep(): Promise<void>;
}

/** A gateway whose clock is not that of this machine, which TLS and the client go by. */
async function gatewayAt(clock: Clock): Promise<OffGateway> {
  await using stack = new AsyncDisposableStack();
  const base = stack.use(await testGateway());
  const identity = await createIdentity({
    records: base.journal.records,
    clock,
    ids: createIds(clock),
    places: base.home.places,
    settings: identitySection.parse({}),
    log: quietLog(),
    rules: shippedRules(),
  });
  const gateway = createGateway({ ...base.parts, clock, identity });
  const doors = stack.use(await openDoors({ ...testTransportParts(gateway), clock }));
  const release = stack.move();
  return {
    test: { ...base, gateway },
    gateway,
    doors,
    sweep: () => identity.sweep(),
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}
