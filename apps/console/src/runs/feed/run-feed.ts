import { PalyraError } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import { gateway } from '../../wire/gateway.ts';
import { hear } from '../../wire/stream.ts';
import { type RunStory, emptyStory } from '../story/run-story.ts';
import { tellAgain, tellAll } from '../story/tell.ts';
import { everyFrame } from './every-frame.ts';

export type FeedState =
  | { readonly is: 'reading' | 'away' | 'ended' | 'stopped' }
  | { readonly is: 'failed'; readonly reason: PalyraError };

/** So many are told between two frames; a slow machine still shows what comes. */
const MOST_AT_ONCE = 250;

/** Hears one run to its end: what is recorded first, then what happens. */
export class RunFeed {
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

  constructor(runId: string, onChange: () => void) {
    this.#story = emptyStory(runId);
    this.#onChange = onChange;
  }

  get story(): RunStory {
    return this.#story;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Hears what has come since. Contract: nothing happens while it hears already. */
  start(): void {
    if (this.#ending !== undefined) return;
    const ending = new AbortController();
    this.#ending = ending;
    this.#turn({ is: 'reading' });
    void this.#hearAll(ending.signal).then((state) => {
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

  async #hearAll(signal: AbortSignal): Promise<FeedState> {
    try {
      await hear<RunEvent>({
        open: (opening) => this.#open(opening),
        onMessage: (event) => {
          this.#heard.push(event);
          this.#frames.ask();
        },
        onState: ({ is }) => {
          const isAway = is === 'waiting';
          if (isAway !== (this.#state.is === 'away'))
            this.#turn({ is: isAway ? 'away' : 'reading' });
        },
        signal,
      });
      await this.#frames.settled();
      return { is: 'ended' };
    } catch (reason) {
      return { is: 'failed', reason: PalyraError.from(reason) };
    }
  }

  #open(signal: AbortSignal): AsyncIterable<RunEvent> {
    this.#tell(this.#heard.length);
    this.#story = tellAgain(this.#story);
    const { runId, lastSequence: afterSequence } = this.#story;
    return gateway.runs.watchRun({ runId, afterSequence }, { signal });
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
