import { describe, expect, it } from 'vitest';
import { type Head, addNewer, emptyHead, takeWaiting, waitingWords } from './head.ts';
import { Row } from './row.ts';

function row(sequence: number): Row {
  const canonical = new TextEncoder().encode(JSON.stringify({ sequence: String(sequence) }));
  return new Row({ hash: String(sequence), canonical });
}
function pageOf(sequences: readonly number[], searchedTo: number) {
  const newest = BigInt(Math.max(...sequences));
  return { rows: sequences.map(row), searchedTo: BigInt(searchedTo), newest, isEnd: false };
}
const hashes = (head: Head) => ({
  waiting: head.waiting.map(({ hash }) => hash),
  taken: head.taken.map(({ hash }) => hash),
});

describe('entries that come while the list is open', () => {
  it('wait, newest first, each once, until they are taken', () => {
    const first = addNewer(emptyHead(10n), pageOf([12, 11, 10, 9], 9));
    const second = addNewer(first, pageOf([13, 12], 12));
    expect(hashes(second)).toEqual({ waiting: ['13', '12', '11'], taken: [] });
    const taken = takeWaiting(second);
    expect(taken && hashes(taken)).toEqual({ waiting: [], taken: ['13', '12', '11'] });
    expect(second.seen).toBe(13n);
  });

  it('begin the list anew where others would be missing between', () => {
    const head = addNewer(emptyHead(10n), pageOf([500, 499], 499));
    expect(waitingWords(head)).toBe('2+ new entries');
    expect(takeWaiting(head)).toBeUndefined();
  });

  it('are never kept without bound', () => {
    let head = emptyHead(0n);
    for (let at = 1; at <= 1_200; at += 1) head = addNewer(head, pageOf([at], at));
    expect(head.waiting.length).toBe(1_000);
    expect(head.hasGap).toBe(true);
  });

  it('are counted in words', () => {
    expect(waitingWords(addNewer(emptyHead(1n), pageOf([2], 2)))).toBe('1 new entry');
  });
});
