import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sha256, verifyExport } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { verifyArchive, verifyStore } from './index.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('segments', () => {
  it('leave for the archive verified and linked, and the rest stays intact', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 4 });
    const run = { runId: temp.ids.next<'run'>(), sessionId: temp.ids.next<'session'>() };
    await journal.append([draft('run.started', run, started)]);
    for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`, run)]);
    const archived = await journal.archive(40);
    expect(archived.length).toBeGreaterThan(1);
    expect(archived[0]).toMatchObject({ number: 1, firstSequence: 1 });
    const cut = archived.at(-1)?.lastSequence ?? 0;
    expect(cut).toBeLessThan(40);
    expect(await journal.find(cut)).toBeUndefined();
    expect(await journal.find(cut + 1)).toMatchObject({ sequence: cut + 1 });
    expect(await verifyArchive(temp.places)).toMatchObject({ verdict: 'intact', entries: cut });
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'intact',
      firstSequence: cut + 1,
      entries: 61 - cut,
    });
    expect(await journal.runs.active()).toMatchObject([run]);
    const report = await verifyExport(journal.exportLines({}), { sha256 });
    expect(report).toMatchObject({ verdict: 'intact', firstSequence: cut + 1 });
    const second = await journal.archive(1000);
    expect(second[0]?.firstSequence).toBe(cut + 1);
    expect(await verifyArchive(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('can be archived whole, and the journal goes on and opens again', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open({ segment_bytes: 4096 });
      await journal.append(Array.from({ length: 40 }, (_, at) => message(`${at}`)));
      await journal.archive(1000);
      expect(await journal.page({ after: 0, limit: 5 })).toEqual([]);
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 0 });
    await using journal = await temp.open();
    expect(await journal.append([message('on')])).toMatchObject([{ sequence: 41 }]);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', firstSequence: 41 });
  });

  it('that miss or were changed in the archive are caught', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
    for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`)]);
    const [, second] = await journal.archive(1000);
    const file = second?.file ?? '';
    const original = readFileSync(file, 'utf8');
    writeFileSync(file, original.replace('"entry 2', '"entri 2'));
    expect(await verifyArchive(temp.places)).toMatchObject({ verdict: 'broken' });
    rmSync(file);
    expect(await verifyArchive(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { sequence: second?.firstSequence },
    });
  });

  it('are not archived while an export is being read', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096 });
    await journal.append(Array.from({ length: 40 }, (_, at) => message(`${at}`)));
    const lines = journal.exportLines({})[Symbol.asyncIterator]();
    await lines.next();
    await expect(journal.archive(1000)).rejects.toThrow(code('OVERLOADED'));
    await lines.return?.();
    expect(await journal.archive(1000)).toHaveLength(1);
  });
});
