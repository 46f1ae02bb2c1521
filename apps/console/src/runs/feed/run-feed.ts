import { PalyraError } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import type { StreamState } from '../../wire/stream.ts';
import { type RunStory, emptyStory } from '../story/run-story.ts';
import { tellAgain, tellAll } from '../story/tell.ts';
import { everyFrame } from './every-frame.ts';
import type { FeedWay, Ways } from './ways.ts';

export type FeedState =
  | { readonly is: 'reading' | 'away' | 'ended' | 'stopped' }
  | { readonly is: 'failed'; readonly reason: PalyraError };

/** So many are told between two frames; a slow machine still shows what comes. */
const MOST_AT_ONCE = 250;

export interface FeedOrder {
  readonly runId: string;
  readonly ways: Ways;
  readonly onChange: () => void;
}

/**
 * Hears one run to its end: what is recorded first, then what happens. One that goes on is heard together
 * with those of all other tabs; what is over is read in a moment, by a stream of its own.
 */
export class RunFeed {
  readonly #ways: Ways;
  readonly #onChange: () => void;
  #story: RunStory;
  #state: FeedState = { is: 'stopped' };
  /** Not told yet. */
  readonly #heard: RunEvent[] = [];
  readonly #frames = everyFrame(() => {
    this.#tell(MOST_AT_ONCE);
    return this.#heard.length > 0;
  });
  #ending: AbortController | undefined;

  constructor({ runId, ways, onChange }: FeedOrder) {
    this.#story = emptyStory(runId);
    this.#ways = ways;
    this.#onChange = onChange;
  }

  get story(): RunStory {
    return this.#story;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Hears what has come since. Contract: nothing happens while it hears already. */
  start(way: FeedWay): void {
    if (this.#ending !== undefined) return;
    const ending = new AbortController();
    this.#ending = ending;
    this.#turn({ is: 'reading' });
    void this.#hearAll(way, ending.signal).then((state) => {
      if (this.#ending !== ending) return;
      this.#ending = undefined;
      this.#turn(state);
    });
  }

  /** What it has heard stays. */
  stop(): void {
    this.#ending?.abort();
    this.#ending = undefined;
    this.#frames.stop();
    this.#tell(this.#heard.length);
    this.#state = { is: 'stopped' };
  }

  async #hearAll(way: FeedWay, signal: AbortSignal): Promise<FeedState> {
    try {
      await this.#ways[way]({
        runId: this.#story.runId,
        after: () => this.#story.lastSequence,
        onAgain: () => this.#again(),
        onMessage: (event) => this.#take(event),
        onState: (state) => this.#look(state),
        signal,
      });
      await this.#frames.settled();
      return { is: 'ended' };
    } catch (reason) {
      return { is: 'failed', reason: PalyraError.from(reason) };
    }
  }

  #take(event: RunEvent): void {
    this.#heard.push(event);
    this.#frames.ask();
  }

  #again(): void {
    this.#tell(this.#heard.length);
    this.#story = tellAgain(this.#story);
  }

  #look(state: StreamState['is']): void {
    const isAway = state === 'waiting';
    if (isAway !== (this.#state.is === 'away')) this.#turn({ is: isAway ? 'away' : 'reading' });
  }

  #tell(most: number): void {
    if (this.#heard.length === 0) return;
    this.#story = tellAll(this.#story, this.#heard.splice(0, most));
    this.#onChange();
  }

  #turn(state: FeedState): void {
    this.#state = state;
    this.#onChange();
  }
}
