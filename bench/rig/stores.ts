import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type EntryDraft, type Places, createIds, systemClock } from '@palyra/kernel';
import { type Journal, type JournalSettings, journalSection, openJournal } from '@palyra/journal';
import { ROOT } from '../../tools/run.ts';
import { CACHE_DIR, placesAt } from './home.ts';
import { STORY_ENTRIES, runStories } from './run-story.ts';

const MIB = 1024 * 1024;
/** Large groups, because nobody waits for an answer while a store is being made. */
const BULK = journalSection.parse({
  batch_entries: 4_096,
  batch_bytes: 64 * MIB,
  queue_entries: 1_000_000,
  queue_bytes: 256 * MIB,
});
const APPEND_ENTRIES = 1_000;
const GROUP_ENTRIES = 4 * APPEND_ENTRIES;
/** Whatever decides what a store looks like. */
const MAKERS = ['packages/{journal,kernel}/src/**/*.ts', 'bench/rig/run-story.ts'];

/** With the settings of a fresh installation. */
export function openAt(places: Places, settings?: JournalSettings): Promise<Journal> {
  const clock = systemClock();
  return openJournal({
    places,
    clock,
    ids: createIds(clock),
    settings: settings ?? journalSection.parse({}),
  });
}

/**
 * A store with so many entries, written by the journal itself. Made once and kept in the cache
 * until the code that writes stores changes.
 */
export async function cachedStore(entries: number): Promise<Places> {
  const family = `store-${entries}-`;
  const home = join(CACHE_DIR, `${family}${makersDigest()}`);
  await mkdir(CACHE_DIR, { recursive: true });
  const made = await readdir(CACHE_DIR);
  if (made.includes(basename(home))) return placesAt(home);

  const outdated = made.filter((name) => name.startsWith(family));
  await Promise.all(outdated.map((name) => rm(join(CACHE_DIR, name), { recursive: true })));
  const draft = join(CACHE_DIR, `${family}draft`);
  await fill(placesAt(draft), entries);
  await rename(draft, home);
  return placesAt(home);
}

async function fill(places: Places, entries: number): Promise<void> {
  await using journal = await openAt(places, BULK);
  for (let left = entries; left > 0; left -= GROUP_ENTRIES) {
    const group = drafts(Math.min(GROUP_ENTRIES, left));
    const starts = group.keys().filter((index) => index % APPEND_ENTRIES === 0);
    await Promise.all(
      starts.map((start) => journal.append(group.slice(start, start + APPEND_ENTRIES))),
    );
  }
}

/** Stories, entry after entry. */
function drafts(count: number): readonly EntryDraft[] {
  const told = runStories(count / STORY_ENTRIES).flat();
  if (told.length !== count)
    throw new RangeError(`${count} entries are no whole number of stories`);
  return told;
}

function makersDigest(): string {
  const digest = createHash('sha256');
  for (const path of globSync(MAKERS, { cwd: ROOT }).toSorted()) {
    if (!path.endsWith('.test.ts'))
      digest.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return digest.digest('hex').slice(0, 16);
}
