import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonObject } from './canonical-json.ts';
import { createIds } from './ids.ts';
import {
  decodeEntry,
  type EntryDraft,
  type EntryPlace,
  placeEntry,
  prepareEntry,
} from './journal-entry.ts';
import { sha256Hex } from './sha256.ts';

const ids = createIds({ now: () => new Date(0), sleep: () => Promise.resolve() });
const bytes = (value: string) => new TextEncoder().encode(value);

const written = (entry: EntryDraft & EntryPlace) => placeEntry(prepareEntry(entry), entry);

const wholeText = fc.string({ unit: 'grapheme' });
const payload: fc.Arbitrary<JsonObject> = fc.dictionary(
  wholeText.filter((key) => key !== '__proto__'),
  fc.oneof(wholeText, fc.integer(), fc.boolean(), fc.constant(null), fc.array(wholeText)),
);

const place = {
  id: ids.next<'entry'>(),
  sequence: 7,
  time: '2026-01-02T03:04:05.678Z',
  previousHash: 'ab'.repeat(32),
};
const entry = {
  ...place,
  kind: 'model.message',
  actor: 'principal:local',
  runId: ids.next<'run'>(),
  sessionId: ids.next<'session'>(),
  payload: { text: 'hello' },
} as const;

describe('the bytes of an entry', () => {
  it('are the canonical json of the whole entry', () => {
    fc.assert(
      fc.property(payload, wholeText, fc.boolean(), (fields, actor, hasRun) => {
        const { runId, sessionId, ...rest } = entry;
        const drafted = {
          ...rest,
          ...(hasRun ? { runId, sessionId } : {}),
          actor,
          payload: fields,
        };
        const expected = { ...drafted, format: 'palyra.journal.v1', sequence: '7' };
        expect(written(drafted)).toBe(canonicalJson(expected));
      }),
    );
  });

  it.each([
    ['keys out of order, also deep inside', { b: { z: 1, a: [{ y: 1, x: 2 }] }, a: 1 }],
    ['keys that look like numbers', { '10': 1, '9': 2, b: 3, a: 4 }],
    ['keys before the digits, and an empty one', { '!': 1, '': 2, a: 3 }],
    ['a key that objects are made with', JSON.parse('{"a":1,"__proto__":{"b":2}}')],
    ['an object without a prototype', Object.assign(Object.create(null), { b: 1, a: 2 })],
    ['a minus zero and a large number', { a: -0, b: 1e21, c: 0.1 }],
    ['text that looks like an escape', { a: '\\ud800', b: '🜚', c: '\u2028' }],
  ])('are canonical with %s', (_what, fields) => {
    const drafted = { ...entry, payload: fields };
    const expected = { ...drafted, format: 'palyra.journal.v1', sequence: '7' };
    expect(written(drafted)).toBe(canonicalJson(expected));
  });

  it.each([
    ['half a surrogate pair', { a: '\ud800' }],
    ['half a surrogate pair as a key', { '\udfff': 1 }],
    ['a number that is none', { a: Number.NaN }],
  ])('are not made for %s', (_what, fields) => {
    const drafted = { ...entry, payload: fields };
    expect(() => written(drafted)).toThrow(TypeError);
  });

  it('never exceed what was announced for the draft', () => {
    fc.assert(
      fc.property(payload, wholeText, (fields, actor) => {
        const drafted = { ...entry, sequence: Number.MAX_SAFE_INTEGER, actor, payload: fields };
        expect(bytes(written(drafted)).length).toBeLessThanOrEqual(
          prepareEntry(drafted).limitBytes,
        );
      }),
    );
  });

  it('are read back as the entry that they were made from', () => {
    fc.assert(
      fc.property(payload, wholeText, (fields, actor) => {
        const drafted = { ...entry, actor, payload: fields };
        const canonical = bytes(written(drafted));
        const hash = sha256Hex(canonical);
        expect(decodeEntry(canonical, hash)).toEqual({ ...drafted, hash, canonical });
      }),
    );
  });
});

describe('reading an entry', () => {
  const good = written(entry);
  it.each([
    ['bytes that are not utf-8', Uint8Array.of(0xff, 0xfe)],
    ['text that is not json', bytes('{')],
    ['json that is not an object', bytes('[]')],
    ['another format', bytes(good.replace('palyra.journal.v1', 'palyra.journal.v2'))],
    ['an unknown kind', bytes(good.replace('model.message', 'model.massage'))],
    ['a malformed id', bytes(good.replace(entry.id, 'x'))],
    ['a malformed run id', bytes(good.replace(entry.runId, 'x'))],
    ['a malformed session id', bytes(good.replace(entry.sessionId, 'x'))],
    ['a sequence that is not a count', bytes(good.replace('"7"', '"07"'))],
    ['a time of another spelling', bytes(good.replace('.678Z', 'Z'))],
    ['a previous hash that is none', bytes(good.replace('ab'.repeat(32), 'AB'.repeat(32)))],
    ['a payload that is not an object', bytes(good.replace('{"text":"hello"}', '"hello"'))],
  ])('refuses %s', (_what, canonical) => {
    expect(decodeEntry(canonical, '')).toBeUndefined();
  });
});
