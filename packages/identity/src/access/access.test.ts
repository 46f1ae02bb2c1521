import { create } from '@bufbuild/protobuf';
import { permissionsOf } from '@palyra/kernel';
import {
  CreateTokenRequestSchema,
  DeviceCertificateSchema,
  DeviceKind,
  Permission,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { deviceIdOf } from '../authority/issue.ts';
import { ConsoleSessions } from '../console/console-sessions.ts';
import {
  SESSION_KEY,
  callerWith,
  openRegistry,
  ownerOf,
  pairDevice,
  refusal,
} from '../registry/registry.fixture.ts';
import { makeSecret } from '../registry/secret.ts';
import { TokenBuckets } from '../registry/token-bucket.ts';
import { makeTokenText } from '../registry/token-text.ts';
import { TokenUse } from '../registry/token-use.ts';
import { Access } from './access.ts';

async function openAccess() {
  const registry = openRegistry();
  const accepted = new Set(['ca1']);
  const access = new Access({
    ...registry,
    authorities: { deviceIdOf, isAccepted: (id) => accepted.has(id) },
    buckets: new TokenBuckets(registry.clock),
    uses: new TokenUse(registry),
  });
  const owner = await ownerOf(registry);
  const bob = await callerWith(registry, Role.ADMIN, 'bob');
  const sessions = new ConsoleSessions(registry);
  return { registry, accepted, access, owner, bob, sessions, ...registry };
}

type Opened = Awaited<ReturnType<typeof openAccess>>;

const certificate = (fingerprint: string) =>
  create(DeviceCertificateSchema, { fingerprint, authorityId: 'ca1' });

async function bobsDevice({ registry, bob }: Opened, kind: DeviceKind = DeviceKind.CLI) {
  const { deviceId } = await pairDevice(registry, bob, { kind, certificates: [certificate('f1')] });
  const subjectAltName = `URI:palyra://device.palyra.internal/${deviceId}`;
  return { deviceId, shown: { fingerprint: 'f1', subjectAltName } };
}

describe('a certificate', () => {
  it.each([
    [DeviceKind.CLI, 'cli'],
    [DeviceKind.DESKTOP, 'desktop'],
    [DeviceKind.CONSOLE, 'console'],
  ])('of kind %i acts for its member, with the role that they have now', async (kind, channel) => {
    const opened = await openAccess();
    const { deviceId, shown } = await bobsDevice(opened, kind);
    expect(await opened.access.byCertificate(shown)).toEqual({
      principal: opened.bob.principal,
      actor: `${opened.bob.principal} via device:${deviceId}`,
      certificateFingerprint: 'f1',
      through: [deviceId],
      vouchedBy: ['anybody'],
      kind: PrincipalKind.USER,
      permissions: permissionsOf(Role.ADMIN),
      member: opened.bob.member,
      deviceId,
      channel,
    });
    await opened.members.changeRole('bob', Role.OPERATOR, opened.owner);
    const caller = await opened.access.byCertificate(shown);
    expect(caller.permissions).toEqual(permissionsOf(Role.OPERATOR));
  });

  it.each([
    [DeviceKind.WORKER, PrincipalKind.WORKER, 'worker'],
    [DeviceKind.BROWSER, PrincipalKind.DEVICE, 'device'],
    [DeviceKind.NODE, PrincipalKind.DEVICE, 'device'],
    [DeviceKind.UNSPECIFIED, PrincipalKind.DEVICE, 'device'],
  ])('of kind %i acts for nobody and may do nothing', async (kind, principalKind, word) => {
    const opened = await openAccess();
    const { deviceId, shown } = await bobsDevice(opened, kind);
    expect(await opened.access.byCertificate(shown)).toEqual({
      principal: `${word}:${deviceId}`,
      actor: `${word}:${deviceId}`,
      certificateFingerprint: 'f1',
      kind: principalKind,
      permissions: new Set(),
      deviceId,
      channel: 'worker',
    });
  });

  it('is looked up by two keys and no list', async () => {
    const opened = await openAccess();
    const { shown } = await bobsDevice(opened);
    const before = opened.records.reads;
    await opened.access.byCertificate(shown);
    expect(opened.records.reads).toEqual({ gets: before.gets + 2, lists: before.lists });
  });

  it('is looked up again after a device or a member has changed, and after nothing else', async () => {
    const opened = await openAccess();
    const { shown } = await bobsDevice(opened);
    const lookUp = async () => {
      const { gets } = opened.records.reads;
      await opened.access.byCertificate(shown);
      return opened.records.reads.gets - gets;
    };
    expect(await lookUp()).toBe(2);
    await opened.records.transact({
      writes: [{ table: 'day_budgets', id: 'today', expectedVersion: 0, body: {} }],
      entries: [{ kind: 'run.started', actor: 'agent', payload: {} }],
    });
    expect(await lookUp()).toBe(0);
    await opened.members.add('eve', Role.OPERATOR, opened.owner);
    expect(await lookUp()).toBe(2);
    await pairDevice(opened.registry, opened.bob);
    expect(await lookUp()).toBe(2);
    expect(await lookUp()).toBe(0);
  });

  it('is refused with another fingerprint than those that are kept', async () => {
    const opened = await openAccess();
    const { shown } = await bobsDevice(opened);
    const asking = opened.access.byCertificate({ ...shown, fingerprint: 'f2' });
    await expect(asking).rejects.toMatchObject(refusal('DEVICE_REVOKED'));
  });

  it.each(['', 'DNS:localhost', 'URI:palyra://device.palyra.internal/x', 'URI:https://a/'])(
    'that bears `%s` is not one of a device',
    async (subjectAltName) => {
      const { access } = await openAccess();
      const asking = access.byCertificate({ fingerprint: 'f1', subjectAltName });
      await expect(asking).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
    },
  );

  it('is refused once its device is revoked, removed, or its member gone', async () => {
    for (const act of ['revoke', 'remove', 'member', 'authority'] as const) {
      const opened = await openAccess();
      const { deviceId, shown } = await bobsDevice(opened, DeviceKind.WORKER);
      await opened.access.byCertificate(shown);
      if (act === 'member') await opened.members.remove('bob', opened.owner);
      else if (act === 'authority') opened.accepted.clear();
      else await opened.devices[act](deviceId, opened.owner);
      await expect(opened.access.byCertificate(shown)).rejects.toMatchObject(
        refusal('DEVICE_REVOKED'),
      );
    }
  });
});

async function bobsToken({ tokens, bob }: Opened, fields = {}) {
  const scopes = [Permission.SESSIONS_USE, Permission.MEMORY_USE];
  const request = create(CreateTokenRequestSchema, { label: 'ci', scopes, ...fields });
  return tokens.create(request, bob);
}

describe('a token', () => {
  it('can do what its scopes say', async () => {
    const opened = await openAccess();
    const { token, secret } = await bobsToken(opened);
    expect(await opened.access.byToken(secret)).toEqual({
      principal: `token:${token.tokenId}`,
      actor: `token:${token.tokenId}`,
      kind: PrincipalKind.TOKEN,
      permissions: new Set([Permission.SESSIONS_USE, Permission.MEMORY_USE]),
      member: opened.bob.member,
      channel: 'api',
    });
  });

  it('that is malformed is refused before anything is looked up', async () => {
    const opened = await openAccess();
    const { secret } = await bobsToken(opened);
    const before = opened.records.reads;
    const typo = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    for (const text of ['', 'pal_', typo, `Bearer ${secret}`, 'x'.repeat(1_000_000)]) {
      await expect(opened.access.byToken(text)).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
    }
    expect(opened.records.reads).toEqual(before);
    await expect(opened.access.byToken(makeTokenText())).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
  });

  it('is looked up by two keys and no list', async () => {
    const opened = await openAccess();
    const { secret } = await bobsToken(opened);
    const before = opened.records.reads;
    await opened.access.byToken(secret);
    expect(opened.records.reads).toEqual({ gets: before.gets + 2, lists: before.lists });
  });

  it('is refused once it is revoked, rotated, past its time, or its member gone', async () => {
    for (const act of ['revoke', 'rotate', 'time', 'member'] as const) {
      const opened = await openAccess();
      const { secret } = await bobsToken(opened, { lifetimeSeconds: 60n });
      await opened.access.byToken(secret);
      if (act === 'time') opened.time.ms += 60_000;
      else if (act === 'member') await opened.members.remove('bob', opened.owner);
      else await opened.tokens[act]('ci', opened.bob);
      await expect(opened.access.byToken(secret)).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
    }
  });

  it('that is revoked while its use is written down is refused', async () => {
    const opened = await openAccess();
    const { secret } = await bobsToken(opened);
    opened.records.beforeNextTransact(async () => {
      await opened.tokens.revoke('ci', opened.bob);
    });
    await expect(opened.access.byToken(secret)).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
  });

  it('has its own rate', async () => {
    const opened = await openAccess();
    const { secret } = await bobsToken(opened, { rate: { perMinute: 60, burst: 2 } });
    await opened.access.byToken(secret);
    await opened.access.byToken(secret);
    await expect(opened.access.byToken(secret)).rejects.toMatchObject(refusal('RATE_LIMITED'));
    opened.time.ms += 1000;
    await opened.access.byToken(secret);
  });

  it('is looked at again without a request being counted, and only while it holds', async () => {
    const opened = await openAccess();
    const { secret, token } = await bobsToken(opened, { rate: { perMinute: 1, burst: 1 } });
    for (let looks = 0; looks < 3; looks += 1) {
      const { principal } = await opened.access.stillToken(secret);
      expect(principal).toBe(`token:${token.tokenId}`);
    }
    expect(opened.records.kinds()).not.toContain('token.used');
    await opened.access.byToken(secret);
    await expect(opened.access.byToken(secret)).rejects.toMatchObject(refusal('RATE_LIMITED'));
    await opened.access.stillToken(secret);
    await opened.tokens.revoke('ci', opened.bob);
    await expect(opened.access.stillToken(secret)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
  });

  it('has its use written down at most once a minute, however many ask at once', async () => {
    const opened = await openAccess();
    const { secret } = await bobsToken(opened);
    const used = () => opened.records.kinds().filter((kind) => kind === 'token.used').length;
    await Promise.all(Array.from({ length: 20 }, () => opened.access.byToken(secret)));
    expect(used()).toBe(1);
    opened.time.ms += 59_999;
    await opened.access.byToken(secret);
    expect(used()).toBe(1);
    opened.time.ms += 1;
    await opened.access.byToken(secret);
    expect(used()).toBe(2);
    expect(await opened.tokens.list()).toMatchObject([{ lastUsedAt: '2030-01-02T03:05:05.000Z' }]);
  });
});

async function bobsSession(opened: Opened) {
  const { deviceId } = await bobsDevice(opened);
  const link = await opened.sessions.createLink({ ...opened.bob, deviceId });
  return { deviceId, ...(await opened.sessions.open(link.secret, SESSION_KEY)) };
}

describe('a console session', () => {
  it('is its member, without the device: a cookie renews no certificate', async () => {
    const opened = await openAccess();
    const { secret, session, deviceId } = await bobsSession(opened);
    const actor = `${opened.bob.principal} via console:${session.sessionId}`;
    const caller = { ...opened.bob, actor, through: [deviceId], vouchedBy: ['anybody'] };
    expect(await opened.access.bySession(secret)).toEqual({
      caller: { ...caller, channel: 'console' },
      session,
    });
  });

  it('is refused once it is closed, past its time, or its device or member gone', async () => {
    for (const act of ['close', 'time', 'revoke', 'remove', 'member'] as const) {
      const opened = await openAccess();
      const { secret, session, deviceId } = await bobsSession(opened);
      if (act === 'close') await opened.sessions.close(session, opened.bob);
      else if (act === 'time') opened.time.ms += 12 * 3_600_000;
      else if (act === 'member') await opened.members.remove('bob', opened.owner);
      else await opened.devices[act](deviceId, opened.owner);
      const asking = opened.access.bySession(secret);
      await expect(asking).rejects.toMatchObject({ wire: 'unauthenticated' });
    }
  });

  it.each(['', 'x', makeSecret(), 'a'.repeat(100_000)])('is not guessed', async (secret) => {
    const opened = await openAccess();
    await bobsSession(opened);
    await expect(opened.access.bySession(secret)).rejects.toMatchObject(refusal('UNAUTHENTICATED'));
  });
});

describe('what a device is limited to', () => {
  it('is what who confirmed it was, though its member has risen since', async () => {
    const opened = await openAccess();
    const { registry, access, owner, bob: ada, sessions, members } = opened;
    const olga = await callerWith(registry, Role.OPERATOR, 'olga');
    const box = await pairDevice(registry, olga, {
      certificates: [certificate('f1')],
      roleLimit: Role.ADMIN,
    });
    await members.changeRole('olga', Role.OWNER, owner);
    const subjectAltName = `URI:palyra://device.palyra.internal/${box.deviceId}`;
    const caller = await access.byCertificate({ fingerprint: 'f1', subjectAltName });
    expect(caller.member).toEqual({ ...olga.member, role: Role.ADMIN });
    expect(caller.permissions).toEqual(permissionsOf(Role.ADMIN));
    const link = await sessions.createLink(caller);
    const { secret } = await sessions.open(link.secret, SESSION_KEY);
    const inConsole = (await access.bySession(secret)).caller;
    expect(inConsole.permissions).toEqual(permissionsOf(Role.ADMIN));

    const others = await pairDevice(registry, owner);
    for (const each of [caller, inConsole]) {
      const attempts = [
        members.changeRole(ada.member?.userId ?? '', Role.OWNER, each),
        members.add('eve', Role.OWNER, each),
        members.remove('ada', each),
        registry.devices.revoke(others.deviceId, each),
      ];
      for (const attempt of attempts) {
        await expect(attempt).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
      }
    }
  });

  it('is never more than its member is now', async () => {
    const opened = await openAccess();
    const { shown } = await bobsDevice(opened);
    await opened.members.changeRole('bob', Role.OPERATOR, opened.owner);
    const caller = await opened.access.byCertificate(shown);
    expect(caller.member?.role).toBe(Role.OPERATOR);
  });

  it('is an operator where the record tells nothing', async () => {
    const opened = await openAccess();
    const certificates = [certificate('f1')];
    const { deviceId } = await pairDevice(opened.registry, opened.owner, {
      certificates,
      roleLimit: Role.UNSPECIFIED,
    });
    const subjectAltName = `URI:palyra://device.palyra.internal/${deviceId}`;
    const caller = await opened.access.byCertificate({ fingerprint: 'f1', subjectAltName });
    expect(caller.permissions).toEqual(permissionsOf(Role.OPERATOR));
  });
});
