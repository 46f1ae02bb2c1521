import { create } from '@bufbuild/protobuf';
import { type Device, DeviceSchema, MemberSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { vouchersOf } from './vouchers.ts';

type Name = 'owner' | 'ada' | 'bob' | 'eve';
const MEMBERS: readonly string[] = ['owner', 'ada', 'bob', 'eve'];

/** Devices as pairing leaves them: `of` is whose, `by` who confirmed it and through what. */
function letIn(deviceId: string, of: Name, by: string, ...madeThrough: string[]): Device {
  return create(DeviceSchema, { deviceId, userId: of, pairedBy: by, madeThrough });
}

const machine = create(DeviceSchema, {
  deviceId: 'machine',
  userId: 'owner',
  isLocal: true,
  pairedBy: 'gateway',
});
const adas = letIn('adas', 'ada', 'user:owner via device:machine', 'machine');

async function vouched(device: Device, ...others: readonly Device[]) {
  const get = async (id: string) => {
    const value = [machine, adas, ...others].find(({ deviceId }) => deviceId === id);
    return value === undefined ? undefined : { id, version: 1, value };
  };
  const member = async (id: string) => {
    const value = create(MemberSchema, { userId: id });
    return MEMBERS.includes(id) ? { id, version: 1, value } : undefined;
  };
  return await vouchersOf(device, { devices: { get }, members: { get: member } });
}

describe('nobody else could act through', () => {
  it("a device of the gateway's own machine", async () => {
    expect(await vouched(machine)).toEqual([]);
  });

  it('one that was let in there, also after that machine has enrolled itself anew', async () => {
    expect(await vouched(adas)).toEqual([]);
    const before = letIn('x', 'ada', 'user:owner via device:removed', 'removed');
    expect(await vouched(before)).toEqual([]);
  });

  it('one that its own person let in through such a one', async () => {
    const own = letIn('own', 'ada', 'user:ada via device:adas', 'machine', 'adas');
    const page = letIn('own', 'ada', 'user:ada via console:1', 'machine', 'adas');
    expect(await vouched(own)).toEqual([]);
    expect(await vouched(page)).toEqual([]);
  });
});

describe('whoever let it in could act through', () => {
  it('one that somebody let in elsewhere, or on a page', async () => {
    const elsewhere = letIn('bobs', 'bob', 'user:ada via device:adas', 'machine', 'adas');
    const page = letIn('bobs', 'bob', 'user:owner via console:1', 'machine');
    expect(await vouched(elsewhere)).toEqual(['user:ada']);
    expect(await vouched(page)).toEqual(['user:owner']);
  });

  it('one that came of such a one, whoever confirmed it', async () => {
    const bobs = letIn('bobs', 'bob', 'user:ada via device:adas', 'machine', 'adas');
    const lineage = ['machine', 'adas', 'bobs'];
    const eves = letIn('eves', 'eve', 'user:bob via console:1', ...lineage);
    const second = letIn('second', 'bob', 'user:bob via device:bobs', ...lineage);
    expect(await vouched(eves, bobs)).toEqual(['user:bob', 'user:ada']);
    expect(await vouched(second, bobs)).toEqual(['user:ada']);
    const back = letIn('back', 'ada', 'user:bob via device:bobs', ...lineage);
    expect(await vouched(back, bobs)).toEqual(['user:bob']);
  });
});

describe('anybody could act through', () => {
  it('one that came of a device which was removed', async () => {
    const eves = letIn('eves', 'eve', 'user:bob via device:gone', 'machine', 'gone');
    expect(await vouched(eves)).toEqual(['user:bob', 'anybody']);
    const own = letIn('own', 'eve', 'user:eve via device:gone', 'machine', 'gone');
    expect(await vouched(own)).toEqual(['anybody']);
  });

  it('one that somebody let in who has left since', async () => {
    const bobs = letIn('bobs', 'bob', 'user:gone via device:adas', 'machine', 'adas');
    expect(await vouched(bobs)).toEqual(['anybody']);
  });

  it.each([
    ['tells nothing', letIn('x', 'bob', '')],
    ['names no person', letIn('x', 'bob', 'gateway', 'machine')],
    ['says that it is of the machine, and is not', letIn('x', 'owner', 'gateway')],
    ['names nothing before it', letIn('x', 'bob', 'user:owner via device:machine')],
  ])('one whose record %s', async (_what, device) => {
    expect(await vouched(device)).toEqual(['anybody']);
  });

  it('one whose first device is none of the machine, or whose line runs in a circle', async () => {
    const root = letIn('root', 'ada', '');
    const of = letIn('x', 'bob', 'user:ada via device:root', 'root');
    expect(await vouched(of, root)).toEqual(['user:ada', 'anybody']);
    const one = letIn('one', 'bob', 'user:ada via device:two', 'two', 'two');
    const two = letIn('two', 'ada', 'user:bob via device:one', 'one', 'one');
    expect(await vouched(one, two)).toEqual(['user:ada', 'anybody']);
  });
});
