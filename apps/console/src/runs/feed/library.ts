import type { RunStory } from '../story/run-story.ts';
import { type FeedState, RunFeed } from './run-feed.ts';
import { type FeedWay, WAYS } from './ways.ts';

export interface Wanted {
  readonly runId: string;
  /** It goes on: it is followed as long as it does. */
  readonly isLive: boolean;
}

export interface Told {
  readonly story: RunStory;
  readonly state: FeedState;
}

export type Stories = ReadonlyMap<string, Told>;

/** Of what is over, read side by side: a browser opens six connections to one place. */
const MOST_STREAMS = 2;

/** Stories of runs, read once and followed while they go on. */
export class Library {
  readonly #feeds = new Map<string, RunFeed>();
  /** Those that have a stream of their own. */
  readonly #reading = new Set<RunFeed>();
  readonly #listeners = new Set<() => void>();
  #wanted: readonly Wanted[] = [];
  #stories: Stories = new Map();
  #isPaused = false;

  readonly stories = (): Stories => this.#stories;

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  };

  /** Something has happened to a run since. */
  readonly readAgain = (runId: string): void => this.#feeds.get(runId)?.start('shared');

  /** Contract: those that are not named any more are forgotten. */
  want(wanted: readonly Wanted[]): void {
    const names = new Set(wanted.map(({ runId }) => runId));
    for (const [runId, feed] of this.#feeds) {
      if (names.has(runId)) continue;
      feed.stop();
      this.#feeds.delete(runId);
    }
    this.#wanted = inOrder(wanted);
    // One that goes on although its stream has ended was taken up again meanwhile.
    for (const { runId, isLive } of wanted) {
      if (isLive && this.#stateOf(runId)?.is === 'ended') this.readAgain(runId);
    }
    this.#pump();
  }

  /** While nobody looks, nothing is followed; what was missed is heard afterwards. */
  pause(): void {
    this.#isPaused = true;
    for (const feed of this.#feeds.values()) if (isHearing(feed.state)) feed.stop();
  }

  goOn(): void {
    this.#isPaused = false;
    this.#pump();
  }

  close(): void {
    this.#wanted = [];
    for (const feed of this.#feeds.values()) feed.stop();
    this.#feeds.clear();
  }

  #pump(): void {
    if (this.#isPaused) return;
    for (const feed of this.#reading) if (!isHearing(feed.state)) this.#reading.delete(feed);
    const next = this.#wanted.filter(({ runId }) => !hasBegun(this.#stateOf(runId)));
    for (const { runId, isLive } of next) {
      if (isLive) this.#start(runId, 'shared');
      else if (this.#reading.size < MOST_STREAMS) this.#start(runId, 'alone');
    }
  }

  #start(runId: string, way: FeedWay): void {
    const onChange = () => this.#change();
    const feed = this.#feeds.get(runId) ?? new RunFeed({ runId, ways: WAYS, onChange });
    this.#feeds.set(runId, feed);
    if (way === 'alone') this.#reading.add(feed);
    feed.start(way);
  }

  #stateOf(runId: string): FeedState | undefined {
    return this.#feeds.get(runId)?.state;
  }

  #change(): void {
    this.#stories = new Map(
      Array.from(this.#feeds, ([runId, feed]) => [runId, { story: feed.story, state: feed.state }]),
    );
    for (const listener of this.#listeners) listener();
    this.#pump();
  }
}

/** What goes on first, then from the newest on: that is what is looked at. */
function inOrder(wanted: readonly Wanted[]): readonly Wanted[] {
  return wanted.toReversed().toSorted((a, b) => Number(b.isLive) - Number(a.isLive));
}

function isHearing(state: FeedState | undefined): boolean {
  return state?.is === 'reading' || state?.is === 'away';
}

function hasBegun(state: FeedState | undefined): boolean {
  return state !== undefined && state.is !== 'stopped';
}
