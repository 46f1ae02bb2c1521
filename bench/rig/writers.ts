import type { EntryDraft } from '@palyra/kernel';
import type { Journal } from '@palyra/journal';
import type { Story } from './run-story.ts';

export const WRITERS = 64;

/** What each writer tells, in order. */
export type Scripts = readonly (readonly EntryDraft[])[];

/**
 * Deals stories out to the writers, in turns: runs that are told at the same time were begun at the
 * same time, so their ids are neighbours, as they are in life. First stories differ in length, so
 * that the writers do not all begin and end their runs together.
 */
export function scriptsFrom(stories: readonly Story[]): Scripts {
  return Array.from({ length: WRITERS }, (_, writer) =>
    stories
      .filter((_story, index) => index % WRITERS === writer)
      .flatMap((story, turn) =>
        turn === 0 ? story.toSpliced(1, writer % (story.length - 1)) : story,
      ),
  );
}

/** Each writer waits until an entry is durable before it appends the next. Resolves with their number. */
export async function write(
  journal: Journal,
  scripts: Scripts,
  isOver: () => boolean = () => false,
): Promise<number> {
  let written = 0;
  const writer = async (script: readonly EntryDraft[]) => {
    for (const draft of script) {
      if (isOver()) return;
      await journal.append([draft]);
      written += 1;
    }
  };
  await Promise.all(scripts.map(writer));
  return written;
}
