import { PalyraError } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import type { StreamState } from '../../wire/stream.ts';
import { type RunWord, leadRuns } from './lead-runs.ts';
import { type Want, Wants, goesOn } from './wants.ts';

export interface HubOrder {
  readonly runId: string;
  /** From where on it has to be heard; what is older is known. */
  readonly after: () => bigint;
  /** What was being said comes again. */
  readonly onAgain: () => void;
  readonly onMessage: (event: RunEvent) => void;
  readonly onState: (state: StreamState['is']) => void;
  readonly signal: AbortSignal;
}

type Word =
  | RunWord
  /** Of a tab: all that it wants. */
  | { readonly is: 'want'; readonly tab: string; readonly runs: readonly Want[] }
  /** Of a tab that has just taken the stream, and does not know yet for whom. */
  | { readonly is: 'who' };

interface Listener extends HubOrder {
  readonly end: PromiseWithResolvers<void>;
  /** How far it has come without a gap; what it has told of that is behind. */
  heard: bigint;
}

const STREAM = 'palyra.runs';
const TAB = 'palyra.tab.';

/**
 * Runs that go on, for all tabs of a browser together. A browser opens six connections to one place and
 * no more, so one tab holds the stream for all of them, and another takes over when it goes.
 */
export class RunHub {
  readonly #tab = crypto.randomUUID();
  readonly #channel = new BroadcastChannel(STREAM);
  readonly #wants = new Wants();
  readonly #listeners = new Set<Listener>();
  #leading: AbortController | undefined;

  constructor() {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Word>) => this.#take(data));
    void this.#standForThisTab();
    addEventListener('pagehide', () => {
      this.#channel.postMessage({ is: 'want', tab: this.#tab, runs: [] } satisfies Word);
    });
  }

  /** Contract: resolves when the run or the signal ends; throws why it cannot be heard to its end. */
  async hear(order: HubOrder): Promise<void> {
    const end = Promise.withResolvers<void>();
    const listener: Listener = { ...order, end, heard: order.after() };
    const leave = () => end.resolve();
    order.signal.addEventListener('abort', leave);
    this.#listeners.add(listener);
    this.#leading ??= this.#lead();
    this.#say(this.#wish());
    try {
      await end.promise;
    } finally {
      order.signal.removeEventListener('abort', leave);
      this.#listeners.delete(listener);
      this.#say(this.#wish());
      if (this.#listeners.size === 0) {
        this.#leading?.abort();
        this.#leading = undefined;
      }
    }
  }

  /**
   * Held as long as this page is there, so that others can tell. Whoever leads and hears a wish before
   * it is held takes the tab for one that is gone, and forgets the wish: then it is said again.
   */
  async #standForThisTab(): Promise<void> {
    await navigator.locks.request(`${TAB}${this.#tab}`, () => {
      this.#say(this.#wish());
      return new Promise(() => {});
    });
  }

  #lead(): AbortController {
    const ending = new AbortController();
    const { signal } = ending;
    const lead = async () => {
      this.#say({ is: 'who' });
      const tell = (word: RunWord) => this.#say(word);
      await leadRuns({ wants: this.#wants, tell, tabs: livingTabs, signal });
    };
    // Aborted while it waited for its turn: nobody here wants to hear anything any more.
    void navigator.locks.request(STREAM, { signal }, lead).catch(() => undefined);
    return ending;
  }

  #wish(): Word {
    const runs = Array.from(this.#listeners, (one) => ({ runId: one.runId, after: one.heard }));
    return { is: 'want', tab: this.#tab, runs };
  }

  #say(word: Word): void {
    this.#take(word);
    this.#channel.postMessage(word);
  }

  #take(word: Word): void {
    switch (word.is) {
      case 'who':
        this.#say(this.#wish());
        return;
      case 'want':
        this.#wants.set(word.tab, word.runs);
        return;
      case 'again':
        for (const runId of word.runIds) {
          for (const listener of this.#of(runId)) listener.onAgain();
        }
        return;
      case 'event':
        for (const listener of this.#of(word.event.runId)) pass(listener, word);
        return;
      case 'end':
        for (const { heard, end } of this.#of(word.runId)) {
          if (heard < word.after) continue;
          if (word.fault === undefined) end.resolve();
          else end.reject(new PalyraError(word.fault.code, word.fault.message, word.fault));
        }
        return;
      case 'state':
        for (const listener of this.#listeners) listener.onState(word.state);
    }
  }

  #of(runId: string): readonly Listener[] {
    return [...this.#listeners].filter((listener) => listener.runId === runId);
  }
}

/**
 * Another tab that knows less may have asked for a thousand events that this one need not look at; and
 * what is told for the others before this one's wish has arrived would leave out what was before it.
 */
function pass(listener: Listener, { event, after }: Extract<RunWord, { is: 'event' }>): void {
  const { sequence } = event;
  const isNext = goesOn(listener.heard, { after, sequence });
  if (isNext) listener.heard = sequence;
  const isWord = sequence === 0n && after <= listener.heard;
  if (isNext || isWord) listener.onMessage(event);
}

async function livingTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name = '' }) => name.slice(TAB.length)));
}
