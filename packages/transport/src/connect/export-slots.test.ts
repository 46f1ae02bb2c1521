import type { EntryDraft } from '@palyra/kernel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type House, openHouse, serve } from '../../testing/house.ts';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };
const MANY = Array.from({ length: 1_000 }, () => NOTE);
const ROUNDS = 20;

let house: House;
let stack: AsyncDisposableStack;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe('exports of one person', () => {
  it.each([
    ['one entry, with a long way to the head', { fromSequence: 1n, toSequence: 1n }],
    ['everything, of which little is read', {}],
  ])('are one at a time, until the reader has left: %s', async (_what, range) => {
    const { test, grpc: client } = await serve(house, stack);
    for (let round = 0; round < ROUNDS; round += 1) await test.journal.append(MANY);
    const leaving = new AbortController();
    const { signal } = leaving;
    const lines = client.journal.exportJournal(range, { signal })[Symbol.asyncIterator]();
    await lines.next();
    const newest = { fromSequence: BigInt(test.journal.tip().sequence) };
    const again = () => Array.fromAsync(client.journal.exportJournal(newest));
    await expect(again()).rejects.toMatchObject({
      code: 'OVERLOADED',
      message: 'an export of yours is under way already',
      help: 'try again when that has ended',
    });
    leaving.abort();
    // The daemon hears of it a moment later.
    await expect.poll(async () => (await again()).length, { timeout: 5_000 }).toBe(3);
    await expect(test.journal.archive(1, 'user:ada')).resolves.toEqual({ segments: [] });
  });
});
