import { X509Certificate } from 'node:crypto';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { AuthorityState, type Device, DeviceSchema, DeviceState } from '@palyra/protocol';
import { tempHome, type TempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { pairedDevice, testAuthorities, testStart } from './authority.fixture.ts';

const OWNER = { actor: 'user:01JD0000000000000000000001' };

describe('the first start', () => {
  it('makes an authority and journals it as the doing of the gateway', async () => {
    await using home = await tempHome();
    const { authorities, records } = await testAuthorities(home, { names: ['gw.example'] });
    const [authority, ...others] = await authorities.list();
    expect(others).toEqual([]);
    expect(authority?.state).toBe(AuthorityState.ACTIVE);
    expect(authority?.names).toEqual([
      'palyra.internal',
      'localhost',
      '127.0.0.1',
      '::1',
      'gw.example',
    ]);
    expect(records.entries.map(({ kind, actor }) => [kind, actor])[0]).toEqual([
      'authority.created',
      'gateway',
    ]);
  });

  it('makes one that signs only, for P-256 keys, below nobody, for ten years', async () => {
    await using home = await tempHome();
    const { authorities, clock } = await testAuthorities(home);
    const [authority] = await authorities.list();
    const certificate = new X509Certificate(authority?.certificate ?? '');
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(authority?.fingerprint.slice(0, 32)).toBe(authority?.authorityId);
    const years = (certificate.validToDate.getTime() - clock.now().getTime()) / 86_400_000 / 365;
    expect(Math.round(years)).toBe(10);
  });

  it('happens once: a later one finds the same authority and writes nothing', async () => {
    await using home = await tempHome();
    const { authorities, records, restart } = await testAuthorities(home);
    const revision = records.revision('authorities');
    const again = await restart();
    expect(await again.list()).toEqual(await authorities.list());
    expect(records.revision('authorities')).toBe(revision);
  });

  it('of two at once ends with one authority for both', async () => {
    await using home = await tempHome();
    const { records, restart } = testStart(home);
    const both = await Promise.all([restart(), restart()]);
    const ids = await Promise.all(both.map(async (one) => (await one.list())[0]?.authorityId));
    expect(new Set(ids).size).toBe(1);
    expect(records.kinds()).toEqual(['authority.created']);
    expect(keyFiles(home).length).toBe(1);
  });

  it('that ended between key and record leaves a key that harms nobody', async () => {
    await using home = await tempHome();
    const { records, restart } = testStart(home);
    records.beforeNextTransact(unwritable);
    await expect(restart()).rejects.toMatchObject({ code: 'JOURNAL_UNWRITABLE' });
    expect(keyFiles(home).length).toBe(1);
    const authorities = await restart();
    expect((await authorities.list()).length).toBe(1);
    expect((await authorities.serverCredentials()).length).toBe(1);
  });
});

describe('a later start', () => {
  it('is refused when the key of the authority is gone', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home);
    const [authority] = await authorities.list();
    rmSync(`${home.places.keysDir}/authority-${authority?.authorityId}.key`);
    await expect(restart()).rejects.toMatchObject({ code: 'AUTHORITY_UNUSABLE' });
  });

  it('is refused when the key is of another authority', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home);
    const [authority] = await authorities.list();
    const file = `${home.places.keysDir}/authority-${authority?.authorityId}.key`;
    await authorities.rotate(OWNER);
    const [active] = await authorities.list();
    copyFileSync(`${home.places.keysDir}/authority-${active?.authorityId}.key`, file);
    await expect(restart()).rejects.toMatchObject({
      code: 'AUTHORITY_UNUSABLE',
      message: `the authority \`${authority?.authorityId}\` has a foreign key`,
    });
  });
});

describe('a rotation', () => {
  it('makes a new authority active and lets the old one retire, journaled for its caller', async () => {
    await using home = await tempHome();
    const { authorities, records, clock } = await testAuthorities(home, { rotation_days: 3 });
    const [before] = await authorities.list();
    const [active, old] = await authorities.rotate(OWNER);
    expect(active?.state).toBe(AuthorityState.ACTIVE);
    expect(active?.authorityId).not.toBe(before?.authorityId);
    expect(old?.authorityId).toBe(before?.authorityId);
    expect(old?.state).toBe(AuthorityState.RETIRING);
    expect(Date.parse(old?.retiresAt ?? '')).toBe(clock.now().getTime() + 3 * 86_400_000);
    expect(records.kinds()).toEqual([
      'authority.created',
      'authority.created',
      'authority.retiring',
    ]);
    expect(records.entries.at(-1)?.actor).toBe(OWNER.actor);
  });

  it('is refused while another is active', async () => {
    await using home = await tempHome();
    const { authorities, records } = await testAuthorities(home);
    await authorities.rotate(OWNER);
    const revision = records.revision('authorities');
    await expect(authorities.rotate(OWNER)).rejects.toMatchObject({ code: 'ROTATION_ACTIVE' });
    expect(records.revision('authorities')).toBe(revision);
  });

  it('that cannot be written changes nothing', async () => {
    await using home = await tempHome();
    const { authorities, records, restart } = await testAuthorities(home);
    const before = await authorities.list();
    records.beforeNextTransact(unwritable);
    await expect(authorities.rotate(OWNER)).rejects.toMatchObject({ code: 'JOURNAL_UNWRITABLE' });
    expect(await authorities.list()).toEqual(before);
    expect(await (await restart()).list()).toEqual(before);
    expect((await authorities.rotate(OWNER)).length).toBe(2);
  });

  it('asked for twice at once happens once', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const asked = [authorities.rotate(OWNER), authorities.rotate(OWNER)];
    const endings = (await Promise.allSettled(asked)).map(({ status }) => status);
    expect(endings).toEqual(['fulfilled', 'rejected']);
    expect((await authorities.list()).length).toBe(2);
  });

  it('accepts both until the period is over, and then forgets the keys of the old one', async () => {
    await using home = await tempHome();
    const { authorities, records, clock } = await testAuthorities(home);
    const [{ authorityId: oldId } = { authorityId: '' }] = await authorities.list();
    await authorities.rotate(OWNER);
    expect((await authorities.serverCredentials()).length).toBe(2);
    clock.moveDays(6.9);
    expect((await authorities.accepted()).length).toBe(2);
    expect(authorities.isAccepted(oldId)).toBe(true);
    clock.moveDays(0.2);
    expect(authorities.isAccepted(oldId)).toBe(false);
    await authorities.tick();
    expect((await authorities.accepted()).length).toBe(1);
    expect((await authorities.list()).map(({ state }) => state)).toEqual([
      AuthorityState.ACTIVE,
      AuthorityState.RETIRED,
    ]);
    expect(records.kinds().at(-1)).toBe('authority.retired');
    expect(readdirSync(home.places.keysDir).filter((name) => name.includes(oldId))).toEqual([]);
  });

  it('can follow the one before as soon as that has ended', async () => {
    await using home = await tempHome();
    const { authorities, clock } = await testAuthorities(home);
    await authorities.rotate(OWNER);
    clock.moveDays(7);
    const all = await authorities.rotate(OWNER);
    expect(all.map(({ state }) => state)).toEqual([
      AuthorityState.ACTIVE,
      AuthorityState.RETIRING,
      AuthorityState.RETIRED,
    ]);
  });

  it('is as it was after a restart', async () => {
    await using home = await tempHome();
    const { authorities, restart } = await testAuthorities(home);
    await authorities.rotate(OWNER);
    const again = await restart();
    expect(await again.list()).toEqual(await authorities.list());
    expect(await again.serverCredentials()).toEqual(await authorities.serverCredentials());
  });

  it('tells which devices have not moved', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    await pairedDevice(authorities);
    const [active, old] = await authorities.rotate(OWNER);
    const moved = device('moved', [old?.authorityId, active?.authorityId]);
    const late = device('late', [old?.authorityId]);
    const revoked = { ...device('revoked', [old?.authorityId]), state: DeviceState.REVOKED };
    expect(authorities.notMoved([moved, late, revoked])).toEqual([late]);
  });
});

function keyFiles({ places }: TempHome): readonly string[] {
  return readdirSync(places.keysDir).filter((name) => name.startsWith('authority-'));
}

function unwritable(): Promise<never> {
  return Promise.reject(new PalyraError('JOURNAL_UNWRITABLE', 'the disk is full'));
}

function device(name: string, authorityIds: readonly (string | undefined)[]): Device {
  const certificates = authorityIds.map((authorityId = '') => ({ authorityId }));
  return create(DeviceSchema, { name, state: DeviceState.ACTIVE, certificates });
}
