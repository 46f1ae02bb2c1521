import { DatabaseSync } from 'node:sqlite';
import { type RunId, sha256, sha256Hex, verifyExport } from '@palyra/kernel';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { rechain } from '../test/edited-store.ts';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { type EntryRange, type ExportFilter, type Journal, openSigner } from './index.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('exporting', () => {
  it('gives a file that verifies, of everything or of one run', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    const runId = temp.ids.next<'run'>();
    await journal.append([
      message('a'),
      draft('run.started', { runId }, started),
      message('c'),
      message('d', { runId }),
    ]);
    const { keyId } = await openSigner(temp.places);
    const options = { sha256, expectedKeyId: keyId };
    expect(await verifyExport(journal.exportLines({}), options)).toMatchObject({
      verdict: 'intact',
      entries: 4,
    });
    expect(await verifyExport(journal.exportLines({ runId }), options)).toMatchObject({
      verdict: 'intact',
      entries: 2,
      firstSequence: 2,
      lastSequence: 4,
    });
  });

  it('gives a file of a range that verifies by itself, and follows the chain to the head for it', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append(Array.from({ length: 9 }, (_, at) => message(`${at}`)));
    const verify = (range: EntryRange) => verifyExport(journal.exportLines({ range }), { sha256 });
    const part = { verdict: 'intact', entries: 3, firstSequence: 3, lastSequence: 5 };
    expect(await verify({ from: 3, to: 5 })).toMatchObject({
      ...part,
      previousHash: (await journal.find(2))?.hash,
      headHash: (await journal.find(5))?.hash,
    });
    expect(await verify({ from: 9 })).toMatchObject({ entries: 1, lastSequence: 9 });
    expect(await verify({ to: 2 })).toMatchObject({ entries: 2, firstSequence: 1 });
    for (const range of [
      { from: 5, to: 4 },
      { from: 9, to: 10 },
      { from: 0, to: 2 },
    ]) {
      await expect(verify(range)).rejects.toThrow(code('NOT_FOUND'));
    }
    using database = new DatabaseSync(temp.places.storeFile);
    database.exec("UPDATE entries SET canonical = x'7b7d' WHERE sequence = 8");
    await expect(verify({ from: 3, to: 5 })).rejects.toThrow(code('JOURNAL_CORRUPT'));
  });

  it('writes each entry as a line whose hash the next one names', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open();
    await journal.append([message('a'), message('b')]);
    const lines = await Array.fromAsync(journal.exportLines({}));
    expect(new TextDecoder().decode(lines[2])).toContain(sha256Hex(lines[1] ?? new Uint8Array()));
  });
});

describe('an export whose reader is gone', () => {
  const gone = new Error('gone');

  /** Reads the first entry, which is all that was asked for, and leaves while the store is walked on. */
  async function leave(journal: Journal, filter: ExportFilter): Promise<unknown> {
    const leaving = new AbortController();
    const lines = journal.exportLines(filter, leaving.signal)[Symbol.asyncIterator]();
    await lines.next();
    await lines.next();
    const pending = lines.next();
    leaving.abort(gone);
    return await pending.catch((reason: unknown) => reason);
  }

  it.each([
    ['many entries', Array.from({ length: 1_000 }, (_, at) => message(`${at}`))],
    ['large entries', Array.from({ length: 4 }, () => message('x'.repeat(600_000)))],
  ])('does not walk on to the head through %s', async (_what, drafts) => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096 });
    const runId = temp.ids.next<'run'>();
    await journal.append([draft('run.started', { runId }, started)]);
    for (const each of [drafts, drafts]) await journal.append(each);
    const { sequence } = journal.tip();
    using database = new DatabaseSync(temp.places.storeFile);
    // Whoever comes so far finds it.
    database.exec(`UPDATE entries SET canonical = x'7b7d' WHERE sequence = ${sequence - 1}`);
    expect(await leave(journal, { range: { from: 1, to: 1 } })).toBe(gone);
    expect(await leave(journal, { runId })).toBe(gone);
    // Neither of them is in the way of archiving any more.
    await expect(journal.archive(sequence, 'user:ada')).resolves.toMatchObject({ segments: [] });
  });
});

describe('exporting what was changed behind our back', () => {
  const edits = [
    ['an entry of the run', { from: 3, to: 3 }],
    ['an entry and the link after it', { from: 3, to: 4 }],
    ['an entry and all links but the last', { from: 3, to: 7 }],
    ['the last entry', { from: 8, to: 8 }],
    ['an entry and all links after it', { from: 3, to: 8 }],
  ] as const;

  async function written(temp: TempJournal): Promise<RunId> {
    await using journal = await temp.open();
    const runId = temp.ids.next<'run'>();
    await journal.append([
      message('before'),
      draft('run.started', { runId }, started),
      ...Array.from({ length: 5 }, (_, at) => message(`${at}`, at === 0 ? { runId } : undefined)),
      draft('run.ended', { runId }, { status: 'RUN_STATUS_COMPLETED' }),
    ]);
    return runId;
  }

  it.each(edits)(
    'gives no signed last line: %s',
    verifies('journal:any-edit-is-caught'),
    async (_what, edit) => {
      using temp = new TempJournal();
      const runId = await written(temp);
      await using journal = await temp.open();
      // Behind an open journal: one that is closed would not even open with another last entry.
      rechain(temp, edit);
      for (const filter of [{ runId }, {}]) {
        const lines: Uint8Array[] = [];
        const reading = (async () => {
          for await (const line of journal.exportLines(filter)) lines.push(line);
        })();
        await expect(reading).rejects.toThrow(code('JOURNAL_CORRUPT'));
        expect(lines.some((line) => Buffer.from(line).includes('palyra.export-end'))).toBe(false);
      }
    },
  );

  it('refuses a run whose span was moved so that its beginning would be left out', async () => {
    using temp = new TempJournal();
    const runId = await written(temp);
    using database = new DatabaseSync(temp.places.storeFile);
    database.exec('UPDATE run_spans SET first_sequence = 3');
    await using journal = await temp.open();
    const lines = Array.fromAsync(journal.exportLines({ runId }));
    await expect(lines).rejects.toThrow(code('JOURNAL_CORRUPT'));
  });

  it('refuses a run that is unknown, or whose beginning is in the archive', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
    const runId = temp.ids.next<'run'>();
    await journal.append([draft('run.started', { runId }, started)]);
    for (let at = 0; at < 60; at += 1) await journal.append([message(`${at}`, { runId })]);
    await journal.append([draft('run.ended', { runId }, { status: 'RUN_STATUS_COMPLETED' })]);
    await journal.archive(40, 'user:ada');
    await expect(Array.fromAsync(journal.exportLines({ runId }))).rejects.toThrow(
      expect.objectContaining({
        code: 'NOT_FOUND',
        message: expect.stringContaining('in the archive'),
      }),
    );
    const unknown = journal.exportLines({ runId: temp.ids.next<'run'>() });
    await expect(Array.fromAsync(unknown)).rejects.toThrow(code('NOT_FOUND'));
  });
});
