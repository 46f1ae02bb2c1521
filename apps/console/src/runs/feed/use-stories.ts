import { useEffect, useState, useSyncExternalStore } from 'react';
import { forgetAnswers } from '../../wire/query.ts';
import { Library, type Stories, type Wanted } from './library.ts';

/** A page that nobody has looked at for so long holds no stream. */
const HIDDEN_MS = 10_000;

export interface HeardStories {
  readonly stories: Stories;
  readonly readAgain: (runId: string) => void;
}

/** Contract: the same list as long as nothing about it has changed. */
export function useStories(wanted: readonly Wanted[]): HeardStories {
  const [library] = useState(() => new Library());
  const stories = useSyncExternalStore(library.subscribe, library.stories);
  useEffect(() => library.want(wanted), [library, wanted]);
  useEffect(() => followLooks(library), [library]);
  useEffect(() => () => library.close(), [library]);
  const live = wanted.find(({ isLive }) => isLive)?.runId;
  const hasEnded = live !== undefined && stories.get(live)?.state.is === 'ended';
  useEffect(() => {
    // Its end is heard here before anybody brings the news of it.
    if (hasEnded) forgetAnswers('runs');
  }, [hasEnded]);
  return { stories, readAgain: library.readAgain };
}

function followLooks(library: Library): () => void {
  const held: { timer?: ReturnType<typeof setTimeout> } = {};
  const look = () => {
    clearTimeout(held.timer);
    if (document.hidden) held.timer = setTimeout(() => library.pause(), HIDDEN_MS);
    else library.goOn();
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(held.timer);
    document.removeEventListener('visibilitychange', look);
  };
}
