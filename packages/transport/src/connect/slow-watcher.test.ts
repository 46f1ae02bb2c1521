import type { EntryDraft } from '@palyra/kernel';
import type { EntryNote } from '@palyra/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type House, openHouse, serve } from '../../testing/house.ts';

const NOTE: EntryDraft = { kind: 'daemon.stopped', actor: 'gateway', payload: { reason: 'test' } };
const MANY = Array.from({ length: 1_000 }, () => NOTE);
const ROUNDS = 30;

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

/** How much comes until the watcher knows of this entry, and how often it was told to start anew. */
async function hearUpTo(notes: AsyncIterator<EntryNote>, sequence: number) {
  for (let [heard, resyncs] = [1, 0]; ; heard += 1) {
    const { value, done } = await notes.next();
    if (done === true) throw new TypeError('the stream has ended');
    if (value.resync) resyncs += 1;
    if (Number(value.sequence) === sequence) return { heard, resyncs };
  }
}

describe('a watcher that does not read', () => {
  it('keeps little waiting and nobody from writing, and is told to start anew', async () => {
    const { test, grpc: client } = await serve(house, stack);
    await test.journal.append([NOTE]);
    const before = test.journal.tip().sequence;
    const gone = new AbortController();
    const { signal } = gone;
    const watching = client.journal.watchEntries({ afterSequence: BigInt(before) }, { signal });
    const notes = watching[Symbol.asyncIterator]();
    expect((await notes.next()).value).toMatchObject({ sequence: BigInt(before), kind: '' });
    const first = notes.next();
    await test.journal.append([NOTE]);
    expect((await first).value).toMatchObject({ sequence: BigInt(before + 1), resync: false });

    for (let round = 0; round < ROUNDS; round += 1) await test.journal.append(MANY);
    const last = before + 1 + ROUNDS * MANY.length;
    const { heard, resyncs } = await hearUpTo(notes, last);
    expect(resyncs).toBeGreaterThan(0);
    // Half of what happened would be more than any bound of ours.
    expect(heard).toBeLessThan((ROUNDS * MANY.length) / 2);

    const next = notes.next();
    await test.journal.append([NOTE]);
    expect((await next).value).toMatchObject({ sequence: BigInt(last + 1), resync: false });
    gone.abort();
  });
});
