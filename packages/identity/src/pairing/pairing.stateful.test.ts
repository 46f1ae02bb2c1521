import { create } from '@bufbuild/protobuf';
import { deriveVerifier, verifierToBytes } from '@palyra/pake';
import {
  type Device,
  PairingRecordSchema,
  PairingSecret,
  PairingState,
  Role,
} from '@palyra/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../caller.ts';
import { MemoryRecords } from '../records.fixture.ts';
import { Table } from '@palyra/records';
import {
  approve,
  begin,
  eventOf,
  FAR,
  follow,
  issuedOf,
  newDevice,
  openStage,
  type PairingHouse,
  type Stage,
} from './pairing.fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('a device that knows the PIN', () => {
  it('gets a certificate once a person has confirmed it, and everything is journaled', async () => {
    const records = new MemoryRecords();
    const { house, pairingId, device } = await stage.proveWithPin(records);
    const events = follow(house, device.finish);
    expect(eventOf(await events.next())?.case).toBe('waiting');
    await approve(house, pairingId);
    const issued = issuedOf(eventOf(await events.next()), device.agreement);
    expect((await events.next()).done).toBe(true);

    const [pairing] = await house.pairings.list();
    expect(pairing).toMatchObject({
      state: PairingState.COMPLETED,
      deviceId: issued.deviceId,
      answeredBy: house.owner.principal,
    });
    expect(pairing?.proven?.transcriptHash).toBe(device.agreement.transcriptHash.toHex());
    const known = await house.devices.get(issued.deviceId);
    expect(known).toMatchObject({
      name: 'laptop',
      isLocal: false,
      address: '192.0.2.7',
      pairedBy: house.owner.principal,
      userId: house.owner.member?.userId,
    });
    expect(records.kinds()).toStrictEqual([
      'member.added',
      'pairing.started',
      'pairing.tried',
      'pairing.proven',
      'pairing.approved',
      'device.paired',
      'pairing.completed',
    ]);
  });

  it('may use the token of the QR code instead', async () => {
    const { house } = await stage.openHouse();
    const { pairing, token } = await house.pairings.start('', house.owner);
    const { pairingId } = pairing;
    const attempt = { password: token, secret: PairingSecret.TOKEN, pairingId };
    const device = await begin(house, await newDevice(stage.request, attempt));
    const events = follow(house, device.finish);
    await events.next();
    await approve(house, pairingId);
    expect(eventOf(await events.next())?.case).toBe('issued');
  });

  it('uses the secret up: a second device is refused, and no verifier is kept', async () => {
    const records = new MemoryRecords();
    const { house, pin, pairingId, device } = await stage.proveWithPin(records);
    await follow(house, device.finish).next();
    const second = await newDevice(stage.request, { password: pin });
    await expect(house.pairings.begin(second.request, FAR)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
    const table = new Table(records, 'pairings', () => PairingRecordSchema);
    const kept = (await table.get(pairingId))?.value;
    expect([kept?.pinVerifier.length, kept?.tokenVerifier.length]).toStrictEqual([0, 0]);
  });

  it('is told when the person says no', async () => {
    const { house, pairingId, device } = await stage.proveWithPin();
    const events = follow(house, device.finish);
    await events.next();
    const keyFingerprint =
      (await house.pairings.list())[0]?.proven?.keyFingerprint ?? 'there is none';
    const answer = { pairingId, keyFingerprint, answer: PairingState.REJECTED };
    await house.pairings.answer(answer, house.owner);
    await expect(events.next()).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
    expect(await house.devices.list()).toStrictEqual([]);
  });

  it('is told when nobody answers in time', async () => {
    const { clock, house, device } = await stage.proveWithPin();
    const events = follow(house, device.finish);
    await events.next();
    clock.step(5 * 60_000);
    await expect(events.next()).rejects.toMatchObject({ code: 'PAIRING_ENDED' });
    expect((await house.pairings.list())[0]?.state).toBe(PairingState.EXPIRED);
  });

  it('ends the pairing when it goes away before the answer', async () => {
    const { house, pairingId, device } = await stage.proveWithPin();
    const gone = new AbortController();
    const events = house.pairings.finish(device.finish, FAR, gone.signal)[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    gone.abort(new Error('gone'));
    await expect(next).rejects.toThrow('gone');
    await expect(approve(house, pairingId)).rejects.toMatchObject({ code: 'PAIRING_ENDED' });
    expect((await house.pairings.list())[0]?.reason).toBe('the exchange with the device broke off');
  });
});

describe('the person who lets devices in', () => {
  it('sees a pairing end by itself after five minutes', async () => {
    const { clock, house } = await stage.openHouse();
    const { pairing, pin } = await house.pairings.start('', house.owner);
    const states: PairingState[] = [];
    const never = new AbortController().signal;
    for await (const { state } of house.pairings.watch(pairing.pairingId, never)) {
      states.push(state);
      clock.step(5 * 60_000);
    }
    expect(states).toStrictEqual([PairingState.PENDING, PairingState.EXPIRED]);
    const device = await newDevice(stage.request, { password: pin });
    await expect(house.pairings.begin(device.request, FAR)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('cannot confirm a device that nobody has seen', async () => {
    const { house, pairingId, device } = await stage.proveWithPin();
    const blind = { pairingId, keyFingerprint: '', answer: PairingState.APPROVED };
    await expect(house.pairings.answer(blind, house.owner)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await follow(house, device.finish).next();
    await expect(house.pairings.answer(blind, house.owner)).rejects.toMatchObject({
      code: 'PAIRING_REFUSED',
    });
    const odd = { ...blind, answer: PairingState.COMPLETED };
    await expect(house.pairings.answer(odd, house.owner)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('can neither start nor confirm for somebody who stands above them', async () => {
    const { house, pairingId, device } = await stage.proveWithPin();
    await follow(house, device.finish).next();
    await house.members.add('ada', Role.ADMIN, house.owner);
    const admin = await house.caller('ada');
    await expect(house.pairings.start('owner', admin)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const keyFingerprint = (await house.pairings.list())[0]?.proven?.keyFingerprint ?? '';
    const answer = { pairingId, keyFingerprint, answer: PairingState.APPROVED };
    await expect(house.pairings.answer(answer, admin)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('has at most eight pairings open, also when many are started at once', async () => {
    const records = new MemoryRecords();
    const { clock, house } = await stage.openHouse(records);
    await house.members.add('ada', Role.ADMIN, house.owner);
    const ada = await house.caller('ada');
    const table = new Table(records, 'pairings', () => PairingRecordSchema);
    for (let place = 0; place < 7; place += 1) {
      const pairingId = `01JD000000000000000000000${place}`;
      const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString();
      const state = PairingState.PENDING;
      const record = create(PairingRecordSchema, { pairing: { pairingId, expiresAt, state } });
      const entry = { kind: 'pairing.started', actor: 'test', payload: {} } as const;
      await records.transact({ writes: [table.put(pairingId, record, 0)], entries: [entry] });
    }
    const outcomes = await Promise.allSettled(
      [house.owner, ada].map((caller) => house.pairings.start('', caller)),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toStrictEqual([
      'fulfilled',
      'rejected',
    ]);
    clock.step(60_000);
    await expect(house.pairings.start('', house.owner)).resolves.toBeDefined();
  });

  it('has to say which pairing is meant when there are two', async () => {
    const { house } = await stage.openHouse();
    await house.members.add('ada', Role.ADMIN, house.owner);
    const { pairing, pin } = await house.pairings.start('', house.owner);
    await house.pairings.start('', await house.caller('ada'));
    const vague = await newDevice(stage.request, { password: pin });
    await expect(house.pairings.begin(vague.request, FAR)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const { pairingId } = pairing;
    const exact = await newDevice(stage.request, { password: pin, pairingId });
    await expect(begin(house, exact)).resolves.toBeDefined();
  });
});

describe('a pairing that was abandoned', () => {
  it('can be rejected before any device has proven itself', async () => {
    const records = new MemoryRecords();
    const { house } = await stage.openHouse(records);
    const { pairing, pin } = await house.pairings.start('', house.owner);
    const { pairingId } = pairing;
    const no = { pairingId, keyFingerprint: '', answer: PairingState.REJECTED };
    expect(await house.pairings.answer(no, house.owner)).toMatchObject({
      state: PairingState.REJECTED,
      answeredBy: house.owner.actor,
      roleLimit: Role.UNSPECIFIED,
    });
    expect(records.kinds().at(-1)).toBe('pairing.rejected');
    const late = await newDevice(stage.request, { password: pin });
    await expect(house.pairings.begin(late.request, FAR)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
    await expect(house.pairings.answer(no, house.owner)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('gives way to the next one of the same person, through whatever they act', async () => {
    const { house } = await stage.openHouse();
    const first = await house.pairings.start('', house.owner);
    const elsewhere = { ...house.owner, actor: `${house.owner.principal} via console:x` };
    const { pin } = await house.pairings.start('', elsewhere);
    expect((await house.pairings.list())[0]).toMatchObject({
      pairingId: first.pairing.pairingId,
      state: PairingState.EXPIRED,
      reason: 'replaced by a newer one',
    });
    await expect(
      begin(house, await newDevice(stage.request, { password: pin })),
    ).resolves.toBeDefined();
  });

  it('stays when a device has proven itself to it', async () => {
    const { house, pairingId, device } = await stage.proveWithPin();
    const events = follow(house, device.finish);
    await events.next();
    await house.pairings.start('', house.owner);
    await approve(house, pairingId);
    expect(eventOf(await events.next())?.case).toBe('issued');
  });
});

describe('a device that was let in', () => {
  it('is limited to the role of who confirmed it, and names through what that was', async () => {
    const { house } = await stage.openHouse();
    await house.members.add('ada', Role.ADMIN, house.owner);
    await house.members.add('olga', Role.OPERATOR, house.owner);
    const first = await confirmedBy(house, house.owner, '');
    expect(first).toMatchObject({ roleLimit: Role.OWNER, madeThrough: [] });
    const ada = await house.caller('ada', first.deviceId);
    const box = await confirmedBy(house, ada, 'olga');
    expect(box).toMatchObject({
      roleLimit: Role.ADMIN,
      madeThrough: [first.deviceId],
      pairedBy: `${ada.principal} via device:${first.deviceId}`,
    });
  });

  it('does not come of one that was revoked between the yes and the certificate', async () => {
    const { house } = await stage.openHouse();
    const first = await confirmedBy(house, house.owner, '');
    const through = await house.caller('owner', first.deviceId);
    const { pairing, pin } = await house.pairings.start('', through);
    const device = await begin(house, await newDevice(stage.request, { password: pin }));
    const events = follow(house, device.finish);
    await events.next();
    await approve({ ...house, owner: through }, pairing.pairingId);
    await house.devices.revoke(first.deviceId, house.owner);
    await expect(events.next()).rejects.toMatchObject({ code: 'PAIRING_ENDED' });
  });
});

async function confirmedBy(house: PairingHouse, caller: Caller, member: string): Promise<Device> {
  const { pairing, pin } = await house.pairings.start(member, caller);
  const device = await begin(house, await newDevice(stage.request, { password: pin }));
  const events = follow(house, device.finish);
  await events.next();
  await approve({ ...house, owner: caller }, pairing.pairingId);
  const { deviceId } = issuedOf(eventOf(await events.next()), device.agreement);
  return house.devices.get(deviceId);
}

describe('the memory of ended pairings', () => {
  it('is bounded, and keeps no verifier', async () => {
    const records = new MemoryRecords();
    const { clock, house } = await stage.openHouse(records);
    const table = new Table(records, 'pairings', () => PairingRecordSchema);
    const pinVerifier = verifierToBytes(await deriveVerifier('123456'));
    const state = PairingState.PENDING;
    for (let place = 10; place < 80; place += 1) {
      const pairingId = `01JD00000000000000000000${place}`;
      const expiresAt = clock.now().toISOString();
      const pairing = { pairingId, expiresAt, state };
      const record = create(PairingRecordSchema, { pairing, pinVerifier });
      const entry = { kind: 'pairing.started', actor: 'test', payload: {} } as const;
      await records.transact({ writes: [table.put(pairingId, record, 0)], entries: [entry] });
    }
    await house.pairings.sweep();
    expect((await table.all()).every(({ value }) => value.pinVerifier.length === 0)).toBe(true);
    await house.pairings.start('', house.owner);
    expect(await table.count()).toBe(64);
  });
});
