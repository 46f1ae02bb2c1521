import { type EntryDraft, type Places, createIds, systemClock } from '@palyra/kernel';
import { journalSection, openJournal } from '@palyra/journal';
import { runStories } from '../../../bench/rig/run-story.ts';

/** Stands in the first entry and nowhere else, with a character that turns what follows around. */
export const FIRST_PROMPT = 'find the \u202Esphinx in the archive';

/** Fills a home that no daemon uses yet: one odd entry, then stories of forty entries each. */
export async function fillJournal(places: Places, stories: number): Promise<void> {
  const clock = systemClock();
  const ids = createIds(clock);
  const settings = journalSection.parse({ batch_entries: 4_096, queue_entries: 1_000_000 });
  await using journal = await openJournal({ places, clock, ids, settings });
  const first: EntryDraft = {
    kind: 'run.started',
    actor: 'gateway',
    runId: ids.next<'run'>(),
    sessionId: ids.next<'session'>(),
    payload: { prompt: FIRST_PROMPT, model: 'script' },
  };
  await journal.append([first]);
  await Promise.all(runStories(stories).map((story) => journal.append(story)));
}
