import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sha256, verifyExport } from '@palyra/kernel';
import { RunStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { entriesOf, rechain } from '../test/edited-store.ts';
import { draft, message, started, TempJournal } from '../test/temp-journal.ts';
import { type ArchivedSegment, verifyArchive, verifyStore } from './index.ts';

const ended = { status: 'RUN_STATUS_COMPLETED' };
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('segments', () => {
  it('leave for the archive verified and linked, and the rest stays intact', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 4 });
    const run = { runId: temp.ids.next<'run'>(), sessionId: temp.ids.next<'session'>() };
    await journal.append([draft('run.started', run, started)]);
    for (let at = 0; at < 59; at += 1) await journal.append([message(`entry ${at}`, run)]);
    await journal.append([draft('run.ended', run, ended)]);
    const { segments: archived } = await journal.archive(40, 'principal:local');
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
      // One entry tells of each segment that has left.
      entries: 61 + archived.length - cut,
      archived: { expected: archived.length, found: archived.length },
    });
    const report = await verifyExport(journal.exportLines({}), { sha256 });
    expect(report).toMatchObject({ verdict: 'intact', firstSequence: cut + 1 });
    const { segments: second } = await journal.archive(1000, 'user:ada');
    expect(second[0]?.firstSequence).toBe(cut + 1);
    expect(await verifyArchive(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('can be archived whole, and the journal goes on and opens again', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open({ segment_bytes: 4096 });
      await journal.append(Array.from({ length: 40 }, (_, at) => message(`${at}`)));
      await journal.archive(1000, 'user:ada');
      expect(await journal.page({ after: 0, limit: 5 })).toMatchObject([
        { sequence: 41, kind: 'journal.archived' },
      ]);
    }
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 1 });
    await using journal = await temp.open();
    expect(await journal.append([message('on')])).toMatchObject([{ sequence: 42 }]);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', firstSequence: 41 });
  });

  it('that miss or were changed in the archive are caught', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
    for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`)]);
    const { segments } = await journal.archive(1000, 'user:ada');
    const second = segments[1];
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

  it('are never written over, and show that an older copy of the store was put back', async () => {
    using temp = new TempJournal();
    const small = { segment_bytes: 4096, batch_entries: 1 };
    {
      await using journal = await temp.open(small);
      await journal.append([message('common')]);
    }
    const { storeFile } = temp.places;
    const older = readFileSync(storeFile);
    {
      await using journal = await temp.open(small);
      for (let at = 0; at < 30; at += 1) await journal.append([message(`first ${at}`)]);
      expect((await journal.archive(1000, 'user:ada')).segments.length).toBeGreaterThan(0);
    }
    writeFileSync(storeFile, older);
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'broken',
      fault: { sequence: 2, reason: expect.stringContaining('an older copy of the store') },
    });
    await using journal = await temp.open(small);
    for (let at = 0; at < 30; at += 1) await journal.append([message(`second ${at}`)]);
    await expect(journal.archive(1000, 'user:ada')).rejects.toThrow(code('JOURNAL_CORRUPT'));
    const file = `${temp.places.archiveDir}/segment-000001.jsonl`;
    expect(readFileSync(file, 'utf8')).toContain('first 1');
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
  });

  it('that a crash left before they were gone are taken as they are', async () => {
    using temp = new TempJournal();
    const small = { segment_bytes: 4096, batch_entries: 1 };
    {
      await using journal = await temp.open(small);
      for (let at = 0; at < 30; at += 1) await journal.append([message(`entry ${at}`)]);
    }
    const { storeFile } = temp.places;
    const before = readFileSync(storeFile);
    {
      await using journal = await temp.open(small);
      await journal.archive(1000, 'user:ada');
    }
    writeFileSync(storeFile, before);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact', entries: 30 });
    await using journal = await temp.open(small);
    expect((await journal.archive(1000, 'user:ada')).segments.length).toBeGreaterThan(0);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('are not archived while an export is being read', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096 });
    await journal.append(Array.from({ length: 40 }, (_, at) => message(`${at}`)));
    const lines = journal.exportLines({})[Symbol.asyncIterator]();
    await lines.next();
    await expect(journal.archive(1000, 'user:ada')).rejects.toThrow(code('OVERLOADED'));
    await lines.return?.();
    expect((await journal.archive(1000, 'user:ada')).segments).toHaveLength(1);
  });

  it('stay as long as a run that may go on has an entry in them, and it is named', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
    const run = { runId: temp.ids.next<'run'>(), sessionId: temp.ids.next<'session'>() };
    for (let at = 0; at < 30; at += 1) await journal.append([message(`before ${at}`)]);
    const [first] = await journal.append([draft('run.started', run, started)]);
    for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`, run)]);
    const begin = first?.sequence ?? 0;
    expect((await journal.archive(1000, 'user:ada')).segments.at(-1)?.lastSequence).toBeLessThan(
      begin,
    );
    await journal.append([draft('run.interrupted', run, { reason: 'crash' })]);
    const { segments, heldBy } = await journal.archive(1000, 'user:ada');
    expect(segments).toEqual([]);
    expect(heldBy).toMatchObject({ runId: run.runId, status: RunStatus.INTERRUPTED });
    expect(heldBy?.segments).toBeGreaterThan(1);
    // What was not asked for is not held.
    expect(await journal.archive(begin, 'user:ada')).toEqual({ segments: [] });
    expect(await journal.page({ after: 0, limit: 1, runId: run.runId })).toMatchObject([
      { kind: 'run.started' },
    ]);
    await journal.append([draft('run.resumed', run, { turns: 1 }), draft('run.ended', run, ended)]);
    expect((await journal.archive(1000, 'user:ada')).segments.at(-1)?.lastSequence).toBeGreaterThan(
      begin,
    );
    expect(await journal.runs.get(run.runId)).toMatchObject({ status: RunStatus.COMPLETED });
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
  });

  it('are told of by an entry of whoever asked, in the same commit, and listeners hear it', async () => {
    using temp = new TempJournal();
    await using journal = await temp.open({ segment_bytes: 4096 });
    await journal.append(Array.from({ length: 40 }, (_, at) => message(`${at}`)));
    const heard: string[] = [];
    using _listening = journal.subscribe((entries) => heard.push(...entries.map((e) => e.kind)));
    await journal.archive(1000, 'principal:somebody');
    expect(heard).toEqual(['journal.archived']);
    expect(await journal.find(41)).toMatchObject({
      kind: 'journal.archived',
      actor: 'principal:somebody',
      payload: {
        segments: [
          { number: '1', firstSequence: '1', lastSequence: '40', file: 'segment-000001.jsonl' },
        ],
      },
    });
  });

  it(
    'are not signed when an entry was changed, even with all later links mended but one',
    verifies('journal:any-edit-is-caught'),
    async () => {
      using temp = new TempJournal();
      {
        await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
        for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`)]);
      }
      rechain(temp, { from: 3, to: 50 });
      await using journal = await temp.open();
      await expect(journal.archive(1000, 'user:ada')).rejects.toThrow(code('JOURNAL_CORRUPT'));
      expect(existsSync(`${temp.places.archiveDir}/segment-000001.jsonl`)).toBe(false);
      expect(await journal.find(1)).toMatchObject({ sequence: 1 });
    },
  );

  it('that a crash has left half removed are removed by the next archiving', async () => {
    using temp = new TempJournal();
    {
      await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
      for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`)]);
    }
    const rows = entriesOf(temp);
    {
      await using journal = await temp.open();
      await journal.archive(1000, 'user:ada');
      writeFileSync(`${temp.places.archiveDir}/.segment-000009.jsonl.draft`, 'half');
    }
    using database = new DatabaseSync(temp.places.storeFile);
    const insert = database.prepare('INSERT INTO entries VALUES (?, ?)');
    for (const [sequence, canonical] of rows.slice(1, 3)) insert.run(sequence, canonical);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'broken' });
    database.exec('DELETE FROM entries WHERE sequence < 10');
    const start = database.prepare('SELECT min(sequence) AS s FROM entries').get();
    const cut = Number(start?.['s']) - 1;
    for (const [sequence, canonical] of rows.slice(cut - 3, cut)) insert.run(sequence, canonical);
    expect(await verifyStore(temp.places)).toMatchObject({ verdict: 'intact' });
    await using journal = await temp.open();
    await journal.archive(1, 'user:ada');
    const left = database.prepare('SELECT min(sequence) AS s FROM entries').get();
    expect(left?.['s']).toBe(cut + 1);
    expect(existsSync(`${temp.places.archiveDir}/.segment-000009.jsonl.draft`)).toBe(false);
  });
});

describe('the archive directory', () => {
  it('may be missing or emptied: the report of the store then says how much is not there', async () => {
    using temp = new TempJournal();
    const archived = await archiveSome(temp);
    rmSync(temp.places.archiveDir, { recursive: true });
    expect(await verifyArchive(temp.places)).toMatchObject({ verdict: 'intact', entries: 0 });
    expect(await verifyStore(temp.places)).toMatchObject({
      verdict: 'intact',
      archived: {
        expected: archived.length,
        found: 0,
        reason: `${archived.length} of ${archived.length} archived segments are not in the archive directory`,
      },
    });
  });

  it.each([
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['junk', (file: string) => writeFileSync(file, 'junk\n')],
    ['one endless line', (file: string) => truncateSync(file, 1024 * 1024 * 1024)],
  ])('names the file that is %s', async (_what, spoil) => {
    using temp = new TempJournal();
    const [first, second] = await archiveSome(temp);
    spoil(second?.file ?? '');
    const report = await verifyArchive(temp.places);
    expect(report).toMatchObject({
      verdict: 'broken',
      entries: first?.lastSequence,
      fault: { reason: expect.stringContaining('segment-000002.jsonl') },
    });
  });

  it.each([
    ['a pipe', (file: string) => spawnSync('mkfifo', ['-m', '600', file])],
    ['a link', (file: string) => symlinkSync('/dev/zero', file)],
    ['a directory', (file: string) => spawnSync('mkdir', ['-m', '700', file])],
  ])('does not read %s', async (_what, make) => {
    using temp = new TempJournal();
    const [first] = await archiveSome(temp);
    rmSync(first?.file ?? '');
    make(first?.file ?? '');
    await expect(verifyArchive(temp.places)).rejects.toThrow(code('HOME_UNSAFE'));
  });

  it('is refused when others may read it or a file in it', async () => {
    using temp = new TempJournal();
    const [first] = await archiveSome(temp);
    chmodSync(first?.file ?? '', 0o644);
    await expect(verifyArchive(temp.places)).rejects.toThrow(code('HOME_UNSAFE'));
    chmodSync(first?.file ?? '', 0o600);
    chmodSync(temp.places.archiveDir, 0o755);
    await expect(verifyArchive(temp.places)).rejects.toThrow(code('HOME_UNSAFE'));
  });
});

async function archiveSome(temp: TempJournal): Promise<readonly ArchivedSegment[]> {
  await using journal = await temp.open({ segment_bytes: 4096, batch_entries: 1 });
  for (let at = 0; at < 60; at += 1) await journal.append([message(`entry ${at}`)]);
  return (await journal.archive(1000, 'user:ada')).segments;
}
