import { X509Certificate } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { createIds } from '@palyra/kernel';
import { AuthorityState, DeviceCertificateSchema, Role } from '@palyra/protocol';
import { quietLog, shippedRules, tempHome, type TempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { deviceKey, movableClock } from './authority/authority.fixture.ts';
import type { Caller } from './caller.ts';
import { createIdentity } from './identity.ts';
import { identitySection } from './identity-section.ts';
import { MemoryRecords } from './records.fixture.ts';
import {
  SESSION_KEY,
  callerFor,
  pairDevice,
  refusal,
  registryOn,
} from './registry/registry.fixture.ts';

async function openIdentity(
  { places }: TempHome,
  records = new MemoryRecords(),
  listenHost = '127.0.0.1',
) {
  const clock = movableClock();
  const log = quietLog();
  const settings = identitySection.parse({});
  const identity = await createIdentity({
    records,
    clock,
    ids: createIds(clock),
    places,
    settings,
    listenHost,
    log,
    rules: shippedRules(),
  });
  const [owner] = await identity.members.list();
  if (owner === undefined) throw new Error('the first start makes an owner');
  return { identity, records, clock, log, owner: callerFor(owner) };
}

/** A device without a certificate yet, as its own caller. */
async function enrolled(records: MemoryRecords, owner: Caller) {
  const first = create(DeviceCertificateSchema, { fingerprint: 'first', authorityId: 'gone' });
  const { deviceId } = await pairDevice(registryOn(records), owner, { certificates: [first] });
  return { deviceId, caller: { ...owner, deviceId, certificateFingerprint: 'first' } };
}

function shown(certificate: Uint8Array) {
  const { fingerprint256, subjectAltName = '' } = new X509Certificate(certificate);
  return { fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(), subjectAltName };
}

describe('the first start', () => {
  it('makes the authority and the owner; the next finds them', async () => {
    await using home = await tempHome();
    const { identity, records } = await openIdentity(home);
    expect(records.kinds().toSorted()).toEqual(['authority.created', 'member.added']);
    const again = await openIdentity(home, records);
    expect(records.kinds()).toHaveLength(2);
    expect(await again.identity.members.list()).toEqual(await identity.members.list());
    expect(await again.identity.authorities.list()).toEqual(await identity.authorities.list());
    expect(await readdir(home.places.keysDir)).not.toEqual([]);
  });
});

describe('renewing', () => {
  it('gives a certificate that is accepted, and keeps the one by which it was asked for', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { deviceId, caller } = await enrolled(records, owner);
    const issued = [];
    let asking: Caller = caller;
    for (let count = 0; count < 3; count += 1) {
      const { request } = await deviceKey();
      const one = await identity.devices.renew(request, asking);
      issued.push(one);
      asking = await identity.access.byCertificate(shown(one.certificate));
    }
    const [first, second, third] = issued.map(({ certificate }) => shown(certificate));
    if (first === undefined || second === undefined || third === undefined) throw new Error('3');
    await expect(identity.access.byCertificate(first)).rejects.toMatchObject(
      refusal('DEVICE_REVOKED'),
    );
    expect((await identity.access.byCertificate(second)).deviceId).toBe(deviceId);
    expect((await identity.access.byCertificate(third)).deviceId).toBe(deviceId);
    const { certificates } = await identity.devices.get(deviceId);
    expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual([
      second.fingerprint,
      third.fingerprint,
    ]);
    expect(records.kinds().slice(-3)).toEqual(Array.from({ length: 3 }, () => 'device.renewed'));
    const [authority] = await identity.authorities.list();
    expect(issued[0]?.authorities).toEqual([authority?.certificate]);
  });

  it('locks nobody out, however many answers get lost', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { deviceId, caller } = await enrolled(records, owner);
    const { request } = await deviceKey();
    const { certificate } = await identity.devices.renew(request, caller);
    const held = shown(certificate);
    for (let lost = 0; lost < 3; lost += 1) {
      await identity.devices.renew(request, await identity.access.byCertificate(held));
    }
    expect((await identity.access.byCertificate(held)).deviceId).toBe(deviceId);
    const kept = (await identity.devices.get(deviceId)).certificates;
    expect(kept.map(({ fingerprint }) => fingerprint)).toEqual([
      held.fingerprint,
      expect.any(String),
    ]);
    await expect(identity.devices.renew(request, caller)).rejects.toMatchObject(
      refusal('DEVICE_REVOKED'),
    );
  });

  it('is refused for the ninth time in an hour', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { caller } = await enrolled(records, owner);
    const { request } = await deviceKey();
    for (let count = 0; count < 8; count += 1) await identity.devices.renew(request, caller);
    await expect(identity.devices.renew(request, caller)).rejects.toMatchObject(
      refusal('RATE_LIMITED'),
    );
  });

  it('is not for a caller without a device, nor for one that was revoked meanwhile', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { deviceId, caller } = await enrolled(records, owner);
    const { request } = await deviceKey();
    await expect(identity.devices.renew(request, owner)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
    records.beforeNextTransact(async () => {
      await identity.devices.revoke(deviceId, owner);
    });
    await expect(identity.devices.renew(request, caller)).rejects.toMatchObject(
      refusal('DEVICE_REVOKED'),
    );
    const { certificates } = await identity.devices.get(deviceId);
    expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual(['first']);
  });

  it('refuses a request that proves no key', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { caller } = await enrolled(records, owner);
    const renewing = identity.devices.renew(new Uint8Array(64), caller);
    await expect(renewing).rejects.toMatchObject(refusal('INVALID_INPUT'));
  });
});

describe('after a rotation', () => {
  it('devices with a certificate of the old authority are told, until they renew', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { deviceId, caller } = await enrolled(records, owner);
    const { request } = await deviceKey();
    const old = await identity.devices.renew(request, caller);
    expect(await identity.authorities.notMoved()).toEqual([]);
    await identity.authorities.rotate(owner);
    const notMoved = await identity.authorities.notMoved();
    expect(notMoved.map((device) => device.deviceId)).toEqual([deviceId]);
    await identity.devices.renew(
      request,
      await identity.access.byCertificate(shown(old.certificate)),
    );
    expect(await identity.authorities.notMoved()).toEqual([]);
  });

  it('certificates of the old authority end with its period', async () => {
    await using home = await tempHome();
    const { identity, records, owner, clock } = await openIdentity(home);
    const { caller } = await enrolled(records, owner);
    const { request } = await deviceKey();
    const old = await identity.devices.renew(request, caller);
    await identity.authorities.rotate(owner);
    clock.moveDays(8);
    const asking = identity.access.byCertificate(shown(old.certificate));
    await expect(asking).rejects.toMatchObject(refusal('DEVICE_REVOKED'));
    await identity.sweep();
    expect(records.kinds().at(-1)).toBe('authority.retired');
  });

  it('certificates of the old authority end at once when that is ended early', async () => {
    await using home = await tempHome();
    const { identity, records, owner } = await openIdentity(home);
    const { caller } = await enrolled(records, owner);
    const { request } = await deviceKey();
    const old = await identity.devices.renew(request, caller);
    await expect(identity.authorities.endRetiring(owner)).rejects.toMatchObject(
      refusal('NOT_FOUND'),
    );
    await identity.authorities.rotate(owner);
    const [active, ended] = await identity.authorities.endRetiring(owner);
    expect([active?.state, ended?.state]).toEqual([AuthorityState.ACTIVE, AuthorityState.RETIRED]);
    const told = records.entries.findLast(({ kind }) => kind === 'authority.retired');
    expect(told?.actor).toBe(owner.actor);
    await expect(identity.access.byCertificate(shown(old.certificate))).rejects.toMatchObject(
      refusal('DEVICE_REVOKED'),
    );
    expect(await identity.authorities.serverCredentials()).toHaveLength(1);
    expect((await readdir(home.places.keysDir)).join(' ')).not.toContain(ended?.authorityId);
    await identity.authorities.rotate(owner);
  });
});

describe('the address of the device port', () => {
  it('is among the names of the gateway', async () => {
    await using home = await tempHome();
    const { identity } = await openIdentity(home, new MemoryRecords(), '192.0.2.7');
    const [credential] = await identity.authorities.serverCredentials();
    const { subjectAltName } = new X509Certificate(credential?.certificatePem ?? '');
    expect(subjectAltName).toContain('IP Address:192.0.2.7');
    expect((await identity.authorities.list())[0]?.names).toContain('192.0.2.7');
  });

  it.each(['', '0.0.0.0', '::', 'fe80::1%eth0', '127.0.0.1', 'localhost'])(
    'adds nothing where it is `%s`',
    async (listenHost) => {
      await using home = await tempHome();
      const { identity } = await openIdentity(home, new MemoryRecords(), listenHost);
      expect((await identity.authorities.list())[0]?.names).toEqual([
        'palyra.internal',
        'localhost',
        '127.0.0.1',
        '::1',
      ]);
    },
  );
});

describe('the door file', () => {
  it('tells where the doors are, and always names the authorities of the moment', async () => {
    await using home = await tempHome();
    const { identity, owner, clock } = await openIdentity(home);
    const read = async (): Promise<unknown> =>
      JSON.parse(await readFile(join(home.places.doorDir, 'gateway.json'), 'utf8'));
    const named = async () => {
      const accepted = (await identity.authorities.list()).filter(
        ({ state }) => state !== AuthorityState.RETIRED,
      );
      return accepted.map(({ certificate }) => Buffer.from(certificate).toString('base64'));
    };
    const place = { address: '127.0.0.1:7443', console: 'http://localhost:7142' };
    await identity.announce(place);
    expect(await read()).toEqual({
      format: 'palyra.door.v1',
      ...place,
      authorities: await named(),
    });
    await identity.authorities.rotate(owner);
    const [active, retiring] = await named();
    // Until the port certainly answers with the new one, programs are to ask for the old one.
    expect(await read()).toMatchObject({ authorities: [retiring, active] });
    clock.moveDays(1);
    await identity.sweep();
    expect(await read()).toMatchObject({ authorities: [active, retiring] });
    clock.moveDays(8);
    await identity.sweep();
    expect(await named()).toHaveLength(1);
    expect(await read()).toMatchObject({ authorities: await named() });
  });
});

describe('the sweep', () => {
  it('ends links and sessions that are due, and changes nothing the second time', async () => {
    await using home = await tempHome();
    const { identity, records, owner, clock } = await openIdentity(home);
    const { caller } = await enrolled(records, owner);
    await identity.console.open((await identity.console.createLink(caller)).secret, SESSION_KEY);
    await identity.console.createLink(caller);
    clock.moveDays(1);
    await identity.sweep();
    expect(records.kinds().slice(-2)).toEqual(['console.closed', 'console.closed']);
    const revision = identity.revision();
    await identity.sweep();
    expect(identity.revision()).toBe(revision);
  });

  it('logs what failed, never rejects, and goes on with the rest', async () => {
    await using home = await tempHome();
    const { identity, records, owner, clock, log } = await openIdentity(home);
    const { caller } = await enrolled(records, owner);
    await identity.pairing.start('', owner);
    await identity.console.createLink(caller);
    clock.moveDays(1);
    records.beforeNextTransact(() => Promise.reject(new Error('the disk is full')));
    await identity.sweep();
    const line = log.lines.find(({ message }) => message === 'identity was not swept');
    expect(line).toMatchObject({ level: 'warn', fields: { code: 'UNEXPECTED' } });
    expect(records.kinds().at(-1)).toBe('console.closed');
  });
});

it('every change moves the revision', async () => {
  await using home = await tempHome();
  const { identity, owner } = await openIdentity(home);
  const before = identity.revision();
  await identity.members.add('bob', Role.OPERATOR, owner);
  expect(identity.revision()).not.toBe(before);
});
