import { DatabaseSync } from 'node:sqlite';
import { type Bytes, decodeEntry, type EntryDraft, sha256Hex, Turns } from '@palyra/kernel';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { MOST_SEARCHED, searchBackwards } from './entry-search.ts';
import type { EntriesPage, EntriesQuery, Journal } from './index.ts';

const sequences = ({ entries }: EntriesPage) =>
  entries.map(({ canonical }) => decodeEntry(canonical, '')?.sequence);

/** Every page of a search, as a reader goes through them. */
async function all(journal: Journal, query: EntriesQuery): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for (let before = query.before; ;) {
    const page = await journal.list(before === undefined ? query : { ...query, before });
    found.push(...sequences(page));
    if (page.isEnd) return found;
    expect(page.searchedTo).toBeLessThan(before ?? Infinity);
    before = page.searchedTo;
  }
}

describe('listing entries', () => {
  it('begins with the newest and goes on where it stopped', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append(Array.from({ length: 5 }, (_, at) => message(`${at}`)));
    const first = await journal.list({ limit: 2 });
    expect(sequences(first)).toEqual([5, 4]);
    expect(first).toMatchObject({ searchedTo: 4, isEnd: false, newestSequence: 5 });
    const [newest] = first.entries;
    expect(newest?.hash).toBe(sha256Hex(newest?.canonical ?? new Uint8Array()));
    const rest = await journal.list({ limit: 9, before: first.searchedTo });
    expect(sequences(rest)).toEqual([3, 2, 1]);
    expect(rest).toMatchObject({ searchedTo: 1, isEnd: true });
    expect(await journal.list({ limit: 9, before: 1 })).toMatchObject({ entries: [], isEnd: true });
  });

  it('of an empty journal is at its end', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    expect(await journal.list({ limit: 9 })).toEqual({
      entries: [],
      searchedTo: 1,
      isEnd: true,
      newestSequence: 0,
    });
  });

  it('finds by kind, actor, run and session, and by all of them together', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const run = { runId: temp.ids.next<'run'>(), sessionId: temp.ids.next<'session'>() };
    const other = { runId: temp.ids.next<'run'>(), sessionId: run.sessionId };
    await journal.append([
      draft('run.started', run, started),
      draft('run.started', other, started),
      { ...draft('tool.finished', run), actor: 'gateway "é"' },
      draft('tool.decided', other),
      message('no run, and "actor":"gateway"'),
    ]);
    const find = (query: Partial<EntriesQuery>) => all(journal, { limit: 9, ...query });
    expect(await find({ kinds: ['tool.decided'] })).toEqual([4]);
    expect(await find({ kinds: ['tool.', 'model.message'] })).toEqual([5, 4, 3]);
    expect(await find({ kinds: ['run.start'] })).toEqual([]);
    expect(await find({ actor: 'gateway "é"' })).toEqual([3]);
    expect(await find({ actor: 'gateway' })).toEqual([]);
    expect(await find({ runId: run.runId })).toEqual([3, 1]);
    expect(await find({ sessionId: run.sessionId })).toEqual([4, 3, 2, 1]);
    expect(await find({ ...other, kinds: ['run.'] })).toEqual([2]);
    expect(await find({ runId: temp.ids.next<'run'>() })).toEqual([]);
    expect(await find({ runId: run.runId, before: 1 })).toEqual([]);
  });

  it('finds text as it stands in the bytes, whatever the case of its ASCII letters', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append([message('ÄPFEL at Home'), message('äpfel'), message('ã©')]);
    const find = (text: string) => all(journal, { limit: 9, text });
    expect(await find('AT hOME')).toEqual([1]);
    expect(await find('Äpfel')).toEqual([1]);
    expect(await find('pFeL')).toEqual([2, 1]);
    // Its bytes differ from those of the third by what would be the case of a letter in Latin-1.
    expect(await find('é')).toEqual([]);
    expect(await find('"TEXT":"ã')).toEqual([3]);
  });

  it('finds a stretch of time without reading what lies outside of it', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const minute = 60_000;
    const start = temp.nowMs;
    for (let at = 1; at <= 5; at += 1) {
      temp.nowMs = start + at * minute;
      await journal.append([message(`${at}`)]);
    }
    const moment = (at: number) => new Date(start + at * minute);
    const find = (query: Partial<EntriesQuery>) => all(journal, { limit: 9, ...query });
    expect(await find({ since: moment(4) })).toEqual([5, 4]);
    expect(await find({ until: moment(3) })).toEqual([2, 1]);
    expect(await find({ since: moment(2), until: moment(4) })).toEqual([3, 2]);
    expect(await find({ since: moment(4), until: moment(2) })).toEqual([]);
    expect(await find({ since: moment(9) })).toEqual([]);
    expect(await find({ until: moment(-9) })).toEqual([]);
    const third = await journal.find(3);
    expect(await find({ since: new Date(third?.time ?? '') })).toEqual([5, 4, 3]);
  });

  it('gives entries as they are stored, also one that nobody can read any more', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append([message('a'), message('b')]);
    {
      using database = new DatabaseSync(temp.places.storeFile);
      database.exec("UPDATE entries SET canonical = x'7b7d' WHERE sequence = 1");
    }
    const { entries } = await journal.list({ limit: 9 });
    expect(entries.map(({ canonical }) => canonical.length === 2)).toEqual([false, true]);
    expect(await all(journal, { limit: 9, text: '{' })).toEqual([2]);
  });

  it('finds exactly what reading everything finds', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const runs = Array.from({ length: 3 }, () => temp.ids.next<'run'>());
    const kinds = ['tool.decided', 'tool.finished', 'model.message'] as const;
    const drafts = Array.from({ length: 300 }, (_, at): EntryDraft => {
      const runId = runs[at % 7];
      const own = runId === undefined ? {} : { runId };
      const [kind = 'model.message'] = [kinds[at % 3]];
      return { kind, actor: `actor ${at % 5}`, payload: { text: `t${at % 11}` }, ...own };
    });
    const entries = await journal.append(drafts);
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            runId: fc.constantFrom(...runs),
            actor: fc.constantFrom('actor 1', 'actor 2'),
            kinds: fc.constantFrom(['tool.'], ['model.message', 'tool.decided']),
            text: fc.constantFrom('T3', 't1'),
            before: fc.integer({ min: 1, max: 400 }),
          },
          { requiredKeys: [] },
        ),
        fc.integer({ min: 1, max: 40 }),
        async (filter, limit) => {
          const expected = entries
            .filter(({ sequence }) => sequence < (filter.before ?? Infinity))
            .filter(({ runId }) => filter.runId === undefined || runId === filter.runId)
            .filter(({ actor }) => filter.actor === undefined || actor === filter.actor)
            .filter(({ kind }) => filter.kinds?.some((each) => kind.startsWith(each)) ?? true)
            .filter(({ canonical }) =>
              Buffer.from(canonical)
                .toString()
                .toLowerCase()
                .includes((filter.text ?? '').toLowerCase()),
            )
            .map(({ sequence }) => sequence);
          expect(await all(journal, { limit, ...filter })).toEqual(expected.toReversed());
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a long search', () => {
  /** More than one search looks at, and one entry that is searched for at the far end. */
  async function filled(journal: Journal): Promise<void> {
    await journal.append([message('needle')]);
    const filler = Array.from({ length: 1000 }, () => message('hay'));
    for (let at = 0; at < 21; at += 1) await journal.append(filler);
  }

  it('stops after so many entries and is taken up there', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await filled(journal);
    const page = await journal.list({ limit: 9, text: 'needle' });
    expect(page).toMatchObject({ entries: [], searchedTo: 1002, isEnd: false });
    const rest = await journal.list({ limit: 9, text: 'needle', before: page.searchedTo });
    expect(sequences(rest)).toEqual([1]);
    expect(rest.isEnd).toBe(true);
  });

  it('lets others write meanwhile, and ends when nobody wants it any more', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await filled(journal);
    const stop = new AbortController();
    const searching = journal.list({ limit: 9, text: 'needle', signal: stop.signal });
    await journal.append([message('meanwhile')]);
    stop.abort();
    const { searchedTo, newestSequence } = await searching;
    expect(searchedTo).toBeGreaterThan(15_000);
    expect(newestSequence).toBe(21_001);
  });

  it('has its slices in turns with all others: one in each turn of the event loop', async () => {
    const canonical: Bytes = new TextEncoder().encode('{"no":"entry"}');
    const slices: number[] = [];
    let turn = 0;
    const entries = {
      *backwards({ upTo }: { readonly upTo: number }, limit: number) {
        slices.push(turn);
        for (let at = 0; at < limit; at += 1) yield [upTo - at, canonical] as const;
      },
    };
    const turns = new Turns((next) => {
      setImmediate(() => {
        turn += 1;
        next();
      });
    });
    const search = { range: { after: 0, upTo: 99_999 }, limit: 9, filter: { text: 'needle' } };
    const searches = Array.from({ length: 64 }, () => searchBackwards(entries, search, turns));
    const found = await Promise.all(searches);
    expect(found.every(({ searchedTo }) => searchedTo === 100_000 - MOST_SEARCHED)).toBe(true);
    expect(slices.length).toBeGreaterThanOrEqual((64 * MOST_SEARCHED) / 256);
    expect(new Set(slices).size).toBe(slices.length);
  });

  it('gives fewer entries at once when they are large', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const large = message('x'.repeat(900_000));
    for (let at = 0; at < 4; at += 1) await journal.append([large]);
    const page = await journal.list({ limit: 9 });
    expect(sequences(page)).toEqual([4, 3]);
    expect(await all(journal, { limit: 9 })).toEqual([4, 3, 2, 1]);
  });
});
