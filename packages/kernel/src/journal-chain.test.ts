import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainOf, entryBytes, ids, makeSigner, time } from './chain.fixture.ts';
import {
  ChainWalker,
  fromBase64,
  GENESIS,
  headJson,
  isFault,
  parseHead,
  readLink,
  signHead,
  verifyHead,
  viewEntry,
} from './journal-chain.ts';
import { type Bytes, sha256Hex } from './sha256.ts';

const runId = ids.next<'run'>();
const sessionId = ids.next<'session'>();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

function chain(length: number): Bytes[] {
  return chainOf(length, (index) => ({
    ...(index % 2 === 0 ? { runId } : {}),
    ...(index % 3 === 0 ? { sessionId } : {}),
  }));
}

function walk(entries: readonly Uint8Array[]) {
  const walker = new ChainWalker(GENESIS, sha256Hex);
  for (const [at, entry] of entries.entries()) {
    const step = walker.feed(viewEntry(entry), () => entries[at + 1]);
    if (isFault(step)) return step;
  }
  return walker.point;
}

describe('walking a chain', () => {
  it('ends at the hash of the last entry', () => {
    const entries = chain(12);
    const last = entries.at(-1) ?? new Uint8Array();
    expect(walk(entries)).toEqual({ sequence: 12, hash: sha256Hex(last) });
  });

  it('names the first entry that is missing, moved, doubled or changed', () => {
    const entries = chain(9);
    fc.assert(
      fc.property(fc.nat(7), fc.constantFrom('remove', 'swap', 'double', 'change'), (at, edit) => {
        const [entry = new Uint8Array(), next = new Uint8Array()] = entries.slice(at, at + 2);
        const replacement = {
          remove: [next],
          swap: [next, entry],
          double: [entry, entry, next],
          change: [bytes(text(entry).replace('"entry ', '"Entry ')), next],
        }[edit];
        const fault = walk([...entries.slice(0, at), ...replacement, ...entries.slice(at + 2)]);
        expect(fault).toMatchObject({ sequence: edit === 'double' ? at + 2 : at + 1 });
        expect(fault).toHaveProperty('reason');
      }),
    );
  });

  it('names the first of several entries that were changed', () => {
    const entries = chain(12);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9), { minLength: 1 }), (places) => {
        const edited = entries.map((entry, at) =>
          places.includes(at) ? bytes(text(entry).replace('"entry ', '"Entry ')) : entry,
        );
        expect(walk(edited)).toMatchObject({ sequence: Math.min(...places) + 1 });
      }),
    );
  });

  it('names the entry whose link was changed, not the one before it', () => {
    const entries = chain(5);
    const [, , third = new Uint8Array()] = entries;
    const unlinked = bytes(text(third).replace(/"previousHash":"./, '"previousHash":"x'));
    expect(walk(entries.with(2, unlinked))).toMatchObject({
      sequence: 3,
      reason: 'it does not follow from the entry before it',
    });
  });

  it('names the id of the bad entry where it can be read', () => {
    const [first = new Uint8Array()] = chain(1);
    const id = /"id":"([0-9A-Z]{26})"/.exec(text(first))?.[1];
    const wrong = bytes(text(first).replace('"sequence":"1"', '"sequence":"2"'));
    expect(walk([wrong])).toEqual({ sequence: 1, entryId: id, reason: 'it is numbered 2' });
  });
});

describe('the end of an entry', () => {
  const base = { id: ids.next<'entry'>(), sequence: 41, time, previousHash: 'cd'.repeat(32) };
  const blank = entryBytes({ ...base, kind: 'model.message', actor: '', payload: {} });
  const imitation = `","previousHash":"${'ef'.repeat(32)}","runId":"${runId}","sequence":"9","time":"${time}"}`;

  it('is read in the same place whatever the payload imitates', () => {
    const nested = {
      previousHash: 'ef'.repeat(32),
      runId: 'x',
      sequence: '9',
      sessionId: 'y',
      time,
    };
    for (const payload of [{}, { a: imitation }, { nested }, { z: [nested] }, nested]) {
      for (const run of [{}, { runId }, { sessionId }, { runId, sessionId }]) {
        const canonical = entryBytes({
          ...base,
          kind: 'model.message',
          actor: imitation,
          payload,
          ...run,
        });
        const link = readLink(viewEntry(canonical));
        const at = link?.previousHashAt ?? 0;
        expect(link?.sequence).toBe(41);
        expect(text(canonical.subarray(at, at + 64))).toBe('cd'.repeat(32));
        expect((link?.runIdAt ?? -1) >= 0).toBe('runId' in run);
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['a header', '{"format":"palyra.export.v1"}'],
    ['a leading zero', text(blank).replace('"41"', '"041"')],
    ['too many digits', text(blank).replace('"41"', `"${'1'.repeat(17)}"`)],
    ['something after it', `${text(blank)} `],
  ])('is not found in %s', (_what, line) => {
    expect(readLink(viewEntry(bytes(line)))).toBeUndefined();
  });
});

describe('a head', () => {
  const signer = makeSigner();
  const head = signHead({ sequence: 3, hash: 'ab'.repeat(32) }, time, signer);

  it('verifies, also after it was written as json', async () => {
    const read = parseHead(headJson(head));
    expect(read).toEqual(head);
    expect(await verifyHead(head, signer.publicKey)).toBe(true);
  });

  it('does not verify once any of its fields is changed', async () => {
    const edits = [{ sequence: 2 }, { hash: 'ac'.repeat(32) }, { time: '' }, { keyId: '' }];
    for (const edit of edits)
      expect(await verifyHead({ ...head, ...edit }, signer.publicKey)).toBe(false);
  });

  it('is not read from json that nobody has written', () => {
    const json = headJson(head);
    const edits = [
      { format: 'x' },
      { sequence: 3 },
      { sequence: '03' },
      { hash: 'x' },
      { signature: '!' },
    ];
    for (const edit of edits) expect(parseHead({ ...json, ...edit })).toBeUndefined();
    expect(parseHead(undefined)).toBeUndefined();
  });
});

describe('base64', () => {
  it('has one spelling', () => {
    expect(fromBase64('AAE=')).toEqual(Uint8Array.of(0, 1));
    for (const other of ['AAE', 'AAF=', ' AAE=', 'AA_E']) expect(fromBase64(other)).toBeUndefined();
  });
});
