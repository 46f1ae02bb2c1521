import { PairingState, type FinishPairingRequest } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordsPort } from '@palyra/records';
import { MemoryRecords } from '../records.fixture.ts';
import {
  approve,
  begin,
  eventOf,
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

describe('two devices that complete one pairing at once', () => {
  it('leave one winner', verifies('pairing:once'), async () => {
    const { house, pin } = await stage.proveWithPin();
    const devices = await Promise.all(
      ['one', 'two'].map((name) => newDevice(stage.request, { password: pin, name })),
    );
    const finishes = await Promise.all(devices.map((device) => begin(house, device)));
    const outcomes = await Promise.allSettled(
      finishes.map(({ finish }) => follow(house, finish).next()),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toStrictEqual([
      'fulfilled',
      'rejected',
    ]);
  });

  it(
    'leave one winner when each came to another gateway on the same store',
    verifies('pairing:once'),
    async () => {
      const records = new MemoryRecords();
      const first = (await stage.openHouse(records)).house;
      const second = (await stage.openHouse(records)).house;
      const { pin, pairing } = await first.pairings.start('', first.owner);
      const houses = [first, second];
      const proofs = await Promise.all(
        houses.map(async (house) =>
          begin(house, await newDevice(stage.request, { password: pin })),
        ),
      );
      const streams = houses.map((house, place) => follow(house, finishAt(proofs, place)));
      const outcomes = await Promise.allSettled(streams.map((stream) => stream.next()));
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(outcomes[1 - winner]?.status).toBe('rejected');

      await approve(second, pairing.pairingId);
      const last = await streams[winner]?.next();
      expect(last === undefined ? undefined : eventOf(last)?.case).toBe('issued');
      expect(await first.devices.list()).toHaveLength(1);
      expect(records.kinds().filter((kind) => kind === 'pairing.completed')).toHaveLength(1);
    },
  );
});

describe('a crash', () => {
  it('after the change and before the answer leaves a known device and an ended pairing', async () => {
    const stored = new MemoryRecords();
    const dying = dyingAfter(stored, 'pairing.completed');
    const { house, pairingId, device } = await stage.proveWithPin(dying);
    const events = follow(house, device.finish);
    await events.next();
    await approve(house, pairingId);
    await expect(events.next()).rejects.toThrow('killed');

    const { house: restarted } = await stage.openHouse(stored);
    const [pairing] = await restarted.pairings.list();
    expect(pairing?.state).toBe(PairingState.COMPLETED);
    expect((await restarted.devices.list()).map(({ deviceId }) => deviceId)).toStrictEqual([
      pairing?.deviceId,
    ]);
    await expect(follow(restarted, device.finish).next()).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
    });
  });

  it('before the answer of a person leaves a pairing that ends with its time', async () => {
    const stored = new MemoryRecords();
    const { house, pairingId, device } = await stage.proveWithPin(stored);
    await follow(house, device.finish).next();
    const { clock, house: restarted } = await stage.openHouse(stored);
    await approve(restarted, pairingId);
    clock.step(5 * 60_000);
    await restarted.pairings.sweep();
    expect((await restarted.pairings.list())[0]?.state).toBe(PairingState.EXPIRED);
    expect(await restarted.devices.list()).toStrictEqual([]);
  });
});

function finishAt(
  proofs: readonly { readonly finish: FinishPairingRequest }[],
  place: number,
): FinishPairingRequest {
  return proofs[place]?.finish ?? finishOf({ exchangeId: '', confirmation: new Uint8Array(0) });
}

/** The process dies as soon as an entry of that kind is durable: nothing works from then on. */
function dyingAfter(records: MemoryRecords, kind: string): RecordsPort {
  let isDead = false;
  const alive = <Result>(work: () => Promise<Result>): Promise<Result> =>
    isDead ? Promise.reject(new Error('killed')) : work();
  return {
    get: (table, id) => alive(() => records.get(table, id)),
    list: (table, query) => alive(() => records.list(table, query)),
    count: (table) => alive(() => records.count(table)),
    revision: (table) => records.revision(table),
    transact: (change) =>
      alive(async () => {
        const sealed = await records.transact(change);
        isDead = change.entries.some((entry) => entry.kind === kind);
        if (isDead) throw new Error('killed');
        return sealed;
      }),
  };
}
