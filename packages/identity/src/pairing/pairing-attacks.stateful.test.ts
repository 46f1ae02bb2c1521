import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  BeginPairingRequestSchema,
  PairingRecordSchema,
  PairingSecret,
  PairingState,
} from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryRecords } from '../records.fixture.ts';
import { Table } from '@palyra/records';
import {
  begin,
  FAR,
  finishOf,
  follow,
  newDevice,
  openStage,
  type Stage,
} from './pairing.fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('somebody who does not know the PIN', () => {
  it(
    'learns nothing from a thousand tries, five of which are answered',
    verifies('pairing:pin'),
    async () => {
      const records = new MemoryRecords();
      const { clock, house } = await stage.openHouse(records);
      const { pin } = await house.pairings.start('', house.owner);
      const guesses = ['000000', '111111', '123456', '654321', '999999', '314159', '271828'];
      const wrong = await Promise.all(
        guesses
          .filter((guess) => guess !== pin)
          .map((password) => newDevice(stage.request, { password })),
      );
      const outcomes = new Map<string, number>();
      for (let attempt = 0; attempt < 1_000; attempt += 1) {
        const whence = { ...FAR, address: `198.51.100.${attempt % 16}` };
        const device = wrong[attempt % wrong.length];
        if (device === undefined) throw new Error('no guess is left');
        clock.step(100);
        const outcome = await house.pairings.begin(device.request, whence).then(
          (response) => (device.agree(response) === undefined ? 'answered' : 'agreed'),
          (error: unknown) => PalyraError.from(error).code,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      expect(outcomes.get('agreed')).toBeUndefined();
      expect(outcomes.get('answered')).toBe(5);
      expect([...outcomes.keys()].toSorted()).toStrictEqual([
        'PAIRING_ENDED',
        'RATE_LIMITED',
        'answered',
      ]);
      expect(outcomes.get('PAIRING_ENDED')).toBeLessThanOrEqual(115);
      const [pairing] = await house.pairings.list();
      expect(pairing).toMatchObject({
        state: PairingState.PENDING,
        reason: 'too many tries',
        tries: 5,
      });
      expect(await house.devices.list()).toStrictEqual([]);
      expect(records.kinds().filter((kind) => kind === 'pairing.tried')).toHaveLength(5);
      const right = await newDevice(stage.request, { password: pin });
      clock.step(60_000);
      await expect(house.pairings.begin(right.request, FAR)).rejects.toMatchObject({
        code: 'PAIRING_ENDED',
      });
    },
  );

  it('uses a try up before there is an answer', verifies('pairing:pin'), async () => {
    const records = new MemoryRecords();
    const { house } = await stage.openHouse(records);
    const { pin } = await house.pairings.start('', house.owner);
    const device = await newDevice(stage.request, { password: pin });
    records.beforeNextTransact(() => Promise.reject(new Error('the disk is full')));
    await expect(house.pairings.begin(device.request, FAR)).rejects.toThrow('the disk is full');
  });

  it('ends the PIN with five tries, and not the link beside it', async () => {
    const records = new MemoryRecords();
    const { house } = await stage.openHouse(records);
    const { pairing, pin, token } = await house.pairings.start('', house.owner);
    const { pairingId } = pairing;
    const wrong = await newDevice(stage.request, { password: `${pin}0` });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { exchangeId } = await house.pairings.begin(wrong.request, FAR);
      const confirmation = new Uint8Array(32).fill(attempt);
      const finish = { exchangeId, confirmation };
      await expect(follow(house, finishOf(finish)).next()).rejects.toMatchObject({
        code: 'PAIRING_REFUSED',
      });
    }
    const table = new Table(records, 'pairings', () => PairingRecordSchema);
    expect((await table.get(pairingId))?.value.pinVerifier).toHaveLength(0);
    expect((await house.pairings.list())[0]).toMatchObject({
      state: PairingState.PENDING,
      reason: 'too many tries',
    });
    const late = await newDevice(stage.request, { password: pin });
    await expect(house.pairings.begin(late.request, FAR)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
    const attempt = { password: token, secret: PairingSecret.TOKEN, pairingId };
    const device = await begin(house, await newDevice(stage.request, attempt));
    await follow(house, device.finish).next();
    expect((await house.pairings.list())[0]).toMatchObject({
      proven: { secret: PairingSecret.TOKEN },
      reason: '',
      tries: 5,
      tokenTries: 1,
    });
  });

  it('does not lose the device that makes the fifth try with the right PIN', async () => {
    const { house } = await stage.openHouse();
    const { pin } = await house.pairings.start('', house.owner);
    const wrong = await newDevice(stage.request, { password: `${pin}0` });
    for (let attempt = 0; attempt < 4; attempt += 1) await house.pairings.begin(wrong.request, FAR);
    const device = await begin(house, await newDevice(stage.request, { password: pin }));
    await follow(house, device.finish).next();
    expect((await house.pairings.list())[0]).toMatchObject({ tries: 5, reason: '' });
  });

  it('has twenty tries with the link, and a minute after the last of both', async () => {
    const { clock, house } = await stage.openHouse();
    const { pairing } = await house.pairings.start('', house.owner);
    const { pairingId } = pairing;
    const guess = { password: 'A'.repeat(43), pairingId };
    const asToken = await newDevice(stage.request, { ...guess, secret: PairingSecret.TOKEN });
    const asPin = await newDevice(stage.request, guess);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const whence = { ...FAR, address: `198.51.100.${attempt}` };
      await house.pairings.begin(asToken.request, whence);
    }
    await expect(house.pairings.begin(asToken.request, FAR)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
    for (let attempt = 0; attempt < 5; attempt += 1) await house.pairings.begin(asPin.request, FAR);
    clock.step(60_000);
    await house.pairings.sweep();
    expect((await house.pairings.list())[0]).toMatchObject({
      state: PairingState.EXPIRED,
      reason: 'too many tries',
      tries: 5,
      tokenTries: 20,
    });
  });

  it('cannot keep the others out by filling the places', async () => {
    const { house } = await stage.openHouse();
    const { pairing, pin, token } = await house.pairings.start('', house.owner);
    const { pairingId } = pairing;
    const honest = await begin(house, await newDevice(stage.request, { password: pin }));
    const flood = await newDevice(stage.request, {
      password: token,
      secret: PairingSecret.TOKEN,
      pairingId,
    });
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await house.pairings.begin(flood.request, { ...FAR, address: `198.51.100.${attempt}` });
    }
    await expect(follow(house, honest.finish).next()).resolves.toBeDefined();
  });

  it(
    'does not get in by standing in between with a certificate of their own',
    verifies('pairing:no-middle'),
    async () => {
      const { house } = await stage.openHouse();
      const { pin } = await house.pairings.start('', house.owner);
      const seenFingerprint = new Uint8Array(32).fill(8);
      const device = await newDevice(stage.request, { password: pin, seenFingerprint });
      const response = await house.pairings.begin(device.request, FAR);
      expect(device.agree(response)).toBeUndefined();
      const { exchangeId, confirmation } = response;
      await expect(
        follow(house, finishOf({ exchangeId, confirmation })).next(),
      ).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
    },
  );
});

describe('messages that were heard before', () => {
  it('are refused: a second message that was used', verifies('pairing:once'), async () => {
    const { house, device } = await stage.proveWithPin();
    await follow(house, device.finish).next();
    await expect(follow(house, device.finish).next()).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('are refused from another address, and then from the first one too', async () => {
    const { house, device } = await stage.proveWithPin();
    const other = { ...FAR, address: '192.0.2.8' };
    await expect(follow(house, device.finish, other).next()).rejects.toMatchObject({
      code: 'PAIRING_REFUSED',
    });
    await expect(follow(house, device.finish).next()).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('are refused when the certificate of the server has changed in between', async () => {
    const { house, device } = await stage.proveWithPin();
    const other = { ...FAR, serverFingerprint: new Uint8Array(32) };
    await expect(follow(house, device.finish, other).next()).rejects.toMatchObject({
      code: 'PAIRING_REFUSED',
    });
  });

  it('are refused a minute later', async () => {
    const { clock, house, device } = await stage.proveWithPin();
    clock.step(60_000);
    await expect(follow(house, device.finish).next()).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('are of no use to who only heard the first one: the answer is another', async () => {
    const { house } = await stage.openHouse();
    const { pin } = await house.pairings.start('', house.owner);
    const device = await newDevice(stage.request, { password: pin });
    const heard = await begin(house, device);
    const again = await house.pairings.begin(device.request, FAR);
    const replayed = finishOf({ ...heard.finish, exchangeId: again.exchangeId });
    await expect(follow(house, replayed).next()).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
  });
});

describe('a malformed first message', () => {
  it('is refused before it counts as a try', async () => {
    const { house } = await stage.openHouse();
    const { pin } = await house.pairings.start('', house.owner);
    const { request: good } = await newDevice(stage.request, { password: pin });
    const bad: readonly MessageInitShape<typeof BeginPairingRequestSchema>[] = [
      { secret: PairingSecret.UNSPECIFIED },
      { pairingId: 'x' },
      { name: 'n'.repeat(65) },
      { name: 'a\u202eb' },
      { kind: 0 },
      { share: new Uint8Array(65).fill(4) },
      { share: good.share.subarray(1) },
      { certificateRequest: new Uint8Array(0) },
      { certificateRequest: new Uint8Array(5_000) },
    ];
    for (const [place, fields] of bad.entries()) {
      const message = create(BeginPairingRequestSchema, { ...good, ...fields });
      const whence = { ...FAR, address: `203.0.113.${place}` };
      await expect(house.pairings.begin(message, whence)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    }
    expect((await house.pairings.list())[0]?.tries).toBe(0);
  });
});
