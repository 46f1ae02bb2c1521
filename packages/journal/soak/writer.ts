import {
  createIds,
  type EntryDraft,
  PalyraError,
  placesFor,
  type SealedEntry,
  systemClock,
} from '@palyra/kernel';
import { type Journal, journalSection, openJournal } from '../src/index.ts';

/**
 * A daemon reduced to its journal: appends from many callers at once and prints the sequence number
 * of each entry only after it was acknowledged. Started as a child that somebody else kills.
 * Arguments: home, writers, entries in all (0 for ever).
 */
const [home = '', writers = '16', most = '0'] = process.argv.slice(2);
const places = placesFor({ PALYRA_HOME: home });
if (places === undefined) throw new TypeError('the first argument is an absolute path');
const clock = systemClock();
const ids = createIds(clock);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Every caller keeps a record of its own, and they compete for one; whoever loses appends nothing. */
async function register(
  journal: Journal,
  id: string,
  entries: readonly EntryDraft[],
): Promise<readonly SealedEntry[]> {
  const names = [id, 'contested'];
  const found = await Promise.all(names.map((name) => journal.records.get('writers', name)));
  const writes = found.map((record, at) => ({
    table: 'writers',
    id: names[at] ?? '',
    expectedVersion: record?.version ?? 0,
    body: { entries: entries.length },
  }));
  try {
    return await journal.records.transact({ writes, entries });
  } catch (error) {
    if (error instanceof PalyraError && error.code === 'CONFLICT') return [];
    throw error;
  }
}

try {
  const settings = journalSection.parse({ segment_bytes: 65_536, batch_entries: 32 });
  await using journal = await openJournal({ places, clock, ids, settings });
  say('open');
  let started = 0;
  const limit = most === '0' ? Number.POSITIVE_INFINITY : Number(most);
  const write = async () => {
    const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
    while (started < limit) {
      started += 1;
      const drafts: EntryDraft[] = Array.from({ length: 1 + (started % 3) }, (_, at) => ({
        kind: at === 0 ? 'tool.finished' : 'model.message',
        actor: 'principal:local',
        payload: { text: 'x'.repeat((started * 37) % 400) },
        ...run,
      }));
      const sealed =
        started % 4 === 0
          ? await register(journal, run.runId, drafts)
          : await journal.append(drafts);
      for (const entry of sealed) say(`${entry.sequence} ${entry.hash}`);
    }
  };
  await Promise.all(Array.from({ length: Number(writers) }, write));
  say('done');
} catch (error) {
  say(`failed ${error instanceof Error && 'code' in error ? String(error.code) : 'unnamed'}`);
  process.stderr.write(`${error instanceof Error ? error.message : 'unnamed'}\n`);
  process.exitCode = 1;
}
