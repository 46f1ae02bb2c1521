import { describe, expect, it } from 'vitest';
import { Role } from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import {
  SESSION_KEY,
  asToken,
  callerWith,
  openRegistry,
  ownerOf,
  pairDevice,
  refusal,
  registryOn,
} from '../registry/registry.fixture.ts';
import { hashOf, makeSecret } from '../registry/secret.ts';
import { ConsoleSessions, MAX_SESSIONS_OF_ONE } from './console-sessions.ts';

async function openConsole() {
  const registry = openRegistry();
  const owner = await ownerOf(registry);
  const { deviceId } = await pairDevice(registry, owner);
  const caller: Caller = { ...owner, deviceId };
  return { registry, caller, sessions: new ConsoleSessions(registry), ...registry };
}

describe('a link', () => {
  it('opens the console once, within a minute', async () => {
    const { sessions, caller, records, tables } = await openConsole();
    const link = await sessions.createLink(caller);
    expect(link.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(link.expiresAt.toISOString()).toBe('2030-01-02T03:05:05.000Z');
    const { secret, session } = await sessions.open(link.secret, SESSION_KEY);
    expect(session).toMatchObject({
      userId: caller.member?.userId,
      deviceId: caller.deviceId,
      openedAt: '2030-01-02T03:04:05.000Z',
      expiresAt: '2030-01-02T15:04:05.000Z',
      publicKey: SESSION_KEY,
    });
    expect((await tables.sessions.all()).map(({ id }) => id)).toEqual([hashOf(secret)]);
    expect(records.kinds().slice(-2)).toEqual(['console.linked', 'console.opened']);
    await expect(sessions.open(link.secret, SESSION_KEY)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
    expect(JSON.stringify(records.entries)).not.toContain(secret);
    expect(JSON.stringify(records.entries)).not.toContain(link.secret);
  });

  it('is void after its minute', async () => {
    const { sessions, caller, time } = await openConsole();
    const link = await sessions.createLink(caller);
    time.ms += 60_000;
    await expect(sessions.open(link.secret, SESSION_KEY)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
  });

  it('is known to every process that shares the store', async () => {
    const { sessions, caller, records } = await openConsole();
    const link = await sessions.createLink(caller);
    const other = new ConsoleSessions(registryOn(records));
    expect((await other.open(link.secret, SESSION_KEY)).session.deviceId).toBe(caller.deviceId);
  });

  it('opens one console when two use it at the same time', async () => {
    const { sessions, caller, records, tables } = await openConsole();
    const link = await sessions.createLink(caller);
    const other = new ConsoleSessions(registryOn(records));
    const outcomes = await Promise.allSettled([
      sessions.open(link.secret, SESSION_KEY),
      other.open(link.secret, SESSION_KEY),
      sessions.open(link.secret, SESSION_KEY),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await tables.sessions.count()).toBe(1);
  });

  it('takes the place of an earlier one of its device', async () => {
    const { sessions, caller, tables } = await openConsole();
    const first = await sessions.createLink(caller);
    await sessions.createLink(caller);
    expect(await tables.links.count()).toBe(1);
    await expect(sessions.open(first.secret, SESSION_KEY)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
  });

  it('dies with its device', async () => {
    const { registry, sessions, caller, devices } = await openConsole();
    const link = await sessions.createLink(caller);
    await devices.revoke(caller.deviceId ?? '', await ownerOf(registry));
    await expect(sessions.open(link.secret, SESSION_KEY)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED'),
    );
  });

  it.each(['', 'x', makeSecret(), `${makeSecret()}=`, 'a'.repeat(100_000)])(
    'is not guessed',
    async (secret) => {
      const { sessions, caller } = await openConsole();
      await sessions.createLink(caller);
      await expect(sessions.open(secret, SESSION_KEY)).rejects.toMatchObject(
        refusal('UNAUTHENTICATED'),
      );
    },
  );

  it.each([0, 32, 64, 66, 91, 100_000])(
    'is not used up by a key of %d bytes, which is none',
    async (length) => {
      const { sessions, caller, tables } = await openConsole();
      const { secret } = await sessions.createLink(caller);
      const opening = sessions.open(secret, new Uint8Array(length));
      await expect(opening).rejects.toMatchObject(refusal('INVALID_INPUT'));
      expect(await tables.sessions.count()).toBe(0);
      expect((await sessions.open(secret, SESSION_KEY)).session.publicKey).toEqual(SESSION_KEY);
    },
  );

  it('is made for a person at a device: no token and no session makes another', async () => {
    const { sessions, caller } = await openConsole();
    const { deviceId: _deviceId, ...session } = caller;
    for (const each of [asToken(caller), session]) {
      await expect(sessions.createLink(each)).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    }
  });
});

describe('a session', () => {
  it('is closed by its own member only, and closing twice is closing once', async () => {
    const { registry, sessions, caller, records, tables } = await openConsole();
    const { session } = await sessions.open(
      (await sessions.createLink(caller)).secret,
      SESSION_KEY,
    );
    const bob = await callerWith(registry, Role.OWNER, 'bob');
    await expect(sessions.close(session, bob)).rejects.toMatchObject(refusal('PERMISSION_DENIED'));
    await sessions.close(session, caller);
    await sessions.close(session, caller);
    expect(await tables.sessions.count()).toBe(0);
    expect(records.kinds().filter((kind) => kind === 'console.closed')).toHaveLength(1);
  });

  it('beyond the sixteenth of one member ends their oldest', async () => {
    const { sessions, caller, tables } = await openConsole();
    const first = await sessions.open((await sessions.createLink(caller)).secret, SESSION_KEY);
    for (let count = 0; count < MAX_SESSIONS_OF_ONE; count += 1) {
      await sessions.open((await sessions.createLink(caller)).secret, SESSION_KEY);
    }
    expect(await tables.sessions.count()).toBe(16);
    expect(await tables.sessions.get(hashOf(first.secret))).toBeUndefined();
  });

  it('beyond the 256th in all is refused until one has ended', async () => {
    const { registry, sessions, tables, time } = await openConsole();
    const open = async (caller: Caller) =>
      sessions.open((await sessions.createLink(caller)).secret, SESSION_KEY);
    for (let member = 0; member < 16; member += 1) {
      const user = await callerWith(registry, Role.OPERATOR, `m${member}`);
      const { deviceId } = await pairDevice(registry, user);
      for (let count = 0; count < 16; count += 1) await open({ ...user, deviceId });
    }
    const late = await callerWith(registry, Role.OPERATOR, 'late');
    const { deviceId } = await pairDevice(registry, late);
    await expect(open({ ...late, deviceId })).rejects.toMatchObject(refusal('OVERLOADED'));
    expect(await tables.sessions.count()).toBe(256);
    time.ms += 12 * 3_600_000;
    await open({ ...late, deviceId });
    expect(await tables.sessions.count()).toBe(256 - 48 + 1);
  });
});

describe('the sweep', () => {
  it('drops what has ended, tells of it, and leaves the rest', async () => {
    const { registry, sessions, caller, tables, time, records } = await openConsole();
    await sessions.open((await sessions.createLink(caller)).secret, SESSION_KEY);
    time.ms += 11 * 3_600_000;
    await sessions.open((await sessions.createLink(caller)).secret, SESSION_KEY);
    const other = await pairDevice(registry, caller, { name: 'phone' });
    await sessions.createLink({ ...caller, deviceId: other.deviceId });
    await sessions.sweep();
    expect([await tables.sessions.count(), await tables.links.count()]).toEqual([2, 1]);
    time.ms += 3_600_000;
    await sessions.sweep();
    expect([await tables.sessions.count(), await tables.links.count()]).toEqual([1, 0]);
    expect(records.kinds().slice(-2)).toEqual(['console.closed', 'console.closed']);
    expect(records.entries.at(-1)?.actor).toBe('gateway');
    await registry.devices.remove(caller.deviceId ?? '', caller);
    await sessions.sweep();
    expect(await tables.sessions.count()).toBe(0);
  });
});
