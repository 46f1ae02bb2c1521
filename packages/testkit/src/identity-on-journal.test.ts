import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Caller, IdentityPort } from '@palyra/gateway';
import { type Identity, createIdentity, identitySection } from '@palyra/identity';
import { type Journal, journalSection, openJournal, verifyStore } from '@palyra/journal';
import { createIds, type Places, permissionsOf, systemClock } from '@palyra/kernel';
import {
  CreateTokenRequestSchema,
  type Member,
  Permission,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { quietLog } from './quiet-log.ts';
import { shippedRules } from './shipped-rules.ts';
import { tempHome } from './temp-home.ts';

const clock = systemClock();
const ids = createIds(clock);
const DEVICE_ID = '01JD0000000000000000000000';
/** As long as the key of a console session. */
const KEY = new Uint8Array(65).fill(4);

function openStore(places: Places): Promise<Journal> {
  return openJournal({ places, clock, ids, settings: journalSection.parse({}) });
}

/** The return type is the promise: what identity offers is what the gateway asks for. */
async function openIdentity({ records }: Journal, places: Places): Promise<IdentityPort> {
  const settings = identitySection.parse({});
  const log = quietLog();
  const rules = shippedRules();
  const parts = { records, clock, ids, places, settings, log, rules };
  const identity: Identity = await createIdentity(parts);
  return identity;
}

function callerFor({ userId, name, role }: Member, deviceId?: string): Caller {
  return {
    principal: `user:${userId}`,
    actor: `user:${userId}`,
    kind: PrincipalKind.USER,
    permissions: permissionsOf(role),
    channel: 'cli',
    member: { userId, name, role },
    ...(deviceId === undefined ? {} : { deviceId }),
  };
}

async function firstOwner(identity: IdentityPort): Promise<Caller> {
  const [owner] = await identity.members.list();
  if (owner === undefined) throw new Error('the first start makes an owner');
  return callerFor(owner, DEVICE_ID);
}

/** As if the owner had paired it. */
async function addDevice({ records }: Journal, owner: Caller): Promise<void> {
  const device = {
    deviceId: DEVICE_ID,
    name: 'laptop',
    kind: 'DEVICE_KIND_CLI',
    state: 'DEVICE_STATE_ACTIVE',
    userId: owner.member?.userId ?? '',
  };
  await records.transact({
    writes: [{ table: 'devices', id: DEVICE_ID, expectedVersion: 0, body: device }],
    entries: [{ kind: 'device.paired', actor: owner.principal, payload: { device } }],
  });
}

const request = create(CreateTokenRequestSchema, {
  label: 'ci',
  scopes: [Permission.SESSIONS_USE],
});

describe('identity on the real journal', () => {
  it('is there after a restart, and the store verifies', async () => {
    await using home = await tempHome();
    const { places } = home;
    let secret = '';
    {
      await using journal = await openStore(places);
      const identity = await openIdentity(journal, places);
      const owner = await firstOwner(identity);
      await identity.members.add('bob', Role.ADMIN, owner);
      ({ secret } = await identity.tokens.create(request, owner));
      await identity.access.byToken(secret);
    }
    await using journal = await openStore(places);
    const identity = await openIdentity(journal, places);
    expect((await identity.members.list()).map(({ role }) => role)).toEqual([
      Role.OWNER,
      Role.ADMIN,
    ]);
    expect((await identity.access.byToken(secret)).kind).toBe(PrincipalKind.TOKEN);
    expect((await identity.authorities.list()).length).toBe(1);
    expect(await verifyStore(places)).toMatchObject({ verdict: 'intact' });
  });

  it('writes no secret into any file of the store', async () => {
    await using home = await tempHome();
    const { places } = home;
    await using journal = await openStore(places);
    const identity = await openIdentity(journal, places);
    const owner = await firstOwner(identity);
    await addDevice(journal, owner);
    const token = await identity.tokens.create(request, owner);
    const link = await identity.console.createLink(owner);
    const session = await identity.console.open(link.secret, KEY);
    const unused = await identity.console.createLink(owner);
    const folder = dirname(places.storeFile);
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
    );
    const stored = files.join('\n');
    expect(stored).toContain('token.created');
    for (const each of [token, link, session, unused]) expect(stored).not.toContain(each.secret);
  });

  it('makes one owner and one authority when two start at once', async () => {
    await using home = await tempHome();
    await using journal = await openStore(home.places);
    const starts = [openIdentity(journal, home.places), openIdentity(journal, home.places)];
    const [one, other] = await Promise.all(starts);
    expect(await one?.members.list()).toHaveLength(1);
    expect(await other?.members.list()).toEqual(await one?.members.list());
    expect(await journal.records.count('authorities')).toBe(1);
  });

  it('keeps an owner when two remove one another at the same time', async () => {
    await using home = await tempHome();
    await using journal = await openStore(home.places);
    const one = await openIdentity(journal, home.places);
    const other = await openIdentity(journal, home.places);
    const ada = await firstOwner(one);
    const bob = callerFor(await one.members.add('second', Role.OWNER, ada));
    const outcomes = await Promise.allSettled([
      one.members.remove('second', ada),
      other.members.remove(ada.member?.userId ?? '', bob),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await one.members.list()).toMatchObject([{ role: Role.OWNER }]);
  });

  it('opens one console for a link that many use at the same time', async () => {
    await using home = await tempHome();
    await using journal = await openStore(home.places);
    const one = await openIdentity(journal, home.places);
    const other = await openIdentity(journal, home.places);
    const owner = await firstOwner(one);
    await addDevice(journal, owner);
    const { secret } = await one.console.createLink(owner);
    const users = [one, other, one, other, one].map((each) => each.console.open(secret, KEY));
    const outcomes = await Promise.allSettled(users);
    const opened = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(opened).toHaveLength(1);
    expect(await journal.records.count('console_sessions')).toBe(1);
  });

  it('cuts every right of a member with the change that removes them', async () => {
    await using home = await tempHome();
    await using journal = await openStore(home.places);
    const identity = await openIdentity(journal, home.places);
    const owner = await firstOwner(identity);
    const bob = callerFor(await identity.members.add('bob', Role.ADMIN, owner));
    const { secret } = await identity.tokens.create(request, bob);
    await identity.access.byToken(secret);
    await identity.members.remove('bob', owner);
    await expect(identity.access.byToken(secret)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(await identity.tokens.list()).toMatchObject([{ revokedBy: owner.principal }]);
    expect(await verifyStore(home.places)).toMatchObject({ verdict: 'intact' });
  });
});
