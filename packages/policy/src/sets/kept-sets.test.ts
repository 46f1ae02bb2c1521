import { testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { RuleSet } from '../model.ts';
import { SCHEMA_TEXT } from './built-in.ts';
import { KeptSets, MAX_UNUSED_SETS } from './kept-sets.ts';
import { setHash } from './set-hash.ts';

const ENTRY = { kind: 'shadow.started', actor: 'system', payload: {} } as const;

function setOf(text: string): RuleSet {
  const files = [{ layer: 'operator', name: 'a.cedar', text }] as const;
  const hash = setHash({ mode: 'ask', schema: SCHEMA_TEXT, files });
  return { hash, mode: 'ask', files, rules: [], schema: {} };
}

function at(second: number): string {
  return new Date(second * 1000).toISOString();
}

async function house() {
  const gateway = await testGateway();
  const { records } = gateway.journal;
  return { gateway, records, kept: new KeptSets(records) };
}

type Records = Awaited<ReturnType<typeof house>>['records'];

/** As many as are kept, of long ago and of sets that are gone. */
async function fill(records: Records, count: number): Promise<void> {
  const note = (place: number) => ({
    table: 'policy_unused',
    id: `${at(place + 10)}/gone`,
    expectedVersion: 0,
    body: { hash: 'gone', version: 1 },
  });
  for (let from = 0; from < count; from += 50) {
    const places = Array.from({ length: Math.min(50, count - from) }, (_, more) => from + more);
    await records.transact({ writes: places.map(note), entries: [ENTRY] });
  }
}

describe('a set that decided nothing', () => {
  it('is forgotten when there are too many, the oldest first; all others are kept', async () => {
    const { gateway, records, kept } = await house();
    await using _ = gateway;
    const [first, second, third, fourth] = ['1', '2', '3', '4'].map(setOf);
    if (!first || !second || !third || !fourth) throw new Error('there are four');
    const unused = await kept.activate(first, { changedAt: at(1), entry: ENTRY });
    const later = await kept.activate(second, { changedAt: at(2), entry: ENTRY });
    await kept.activate(third, { changedAt: at(3), entry: ENTRY, unused });
    await fill(records, MAX_UNUSED_SETS - 1);
    expect(await kept.find(first.hash)).toBeDefined();
    await kept.activate(fourth, { changedAt: at(9999), entry: ENTRY, unused: later });
    expect(await kept.find(first.hash)).toBeUndefined();
    for (const set of [second, third, fourth]) expect(await kept.find(set.hash)).toBeDefined();
    expect(await records.count('policy_unused')).toBe(MAX_UNUSED_SETS);
  });

  it('is kept when somebody took it up again', async () => {
    const { gateway, records, kept } = await house();
    await using _ = gateway;
    const [first, second] = ['1', '2'].map(setOf);
    if (!first || !second) throw new Error('there are two');
    const unused = await kept.activate(first, { changedAt: at(1), entry: ENTRY });
    const later = await kept.activate(second, { changedAt: at(2), entry: ENTRY, unused });
    await kept.keep(first, ENTRY);
    await fill(records, MAX_UNUSED_SETS - 1);
    await kept.activate(setOf('3'), { changedAt: at(9999), entry: ENTRY, unused: later });
    expect(await kept.find(first.hash)).toBeDefined();
  });
});

describe('what is kept of a set', () => {
  it('is its texts and nothing that the hash does not bind', async () => {
    const { gateway, records, kept } = await house();
    await using _ = gateway;
    const set = setOf('1');
    await kept.activate(set, { changedAt: at(1), entry: ENTRY });
    const record = await records.get('policy_sets', set.hash);
    expect(Object.keys(record?.body ?? {}).toSorted()).toEqual(['files', 'mode', 'schema']);
  });

  it('is found by how its hash begins', async () => {
    const { gateway, kept } = await house();
    await using _ = gateway;
    const set = setOf('1');
    await kept.activate(set, { changedAt: at(1), entry: ENTRY });
    expect(await kept.hashesLike(set.hash.slice(0, 8))).toEqual([set.hash]);
    expect(await kept.hashesLike('00000000')).toEqual([]);
  });
});
