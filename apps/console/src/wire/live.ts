import type { EntryNote } from '@palyra/protocol';
import { gatewayLater } from './second.ts';
import { nounsOf } from './news.ts';
import { type Noun, forgetAllAnswers, forgetAnswers } from './query.ts';
import { type StreamState, hear } from './stream.ts';

/** What every tab hears, from whichever tab has the stream. */
type Word =
  | { readonly is: 'news'; readonly nouns: readonly Noun[]; readonly newest: string }
  | { readonly is: 'resync' }
  | { readonly is: 'state'; readonly state: LiveState }
  /** Of a tab that has just come, and wants to know how things stand. */
  | { readonly is: 'hello' };

export type LiveState = StreamState['is'];

/** Notes come in bursts; what they make old is asked for once per burst. */
const GATHER_MS = 150;

export interface Live {
  readonly state: () => LiveState;
  /** The sequence of the newest entry that was heard of. */
  readonly newest: () => bigint;
  readonly subscribe: (onChange: () => void) => () => void;
  readonly stop: () => void;
}

interface Known {
  state: LiveState;
  newest: bigint;
  leads: boolean;
}

/**
 * News of the gateway, for all tabs of a browser together: a browser opens six connections to one
 * place and no more, so one tab holds the stream and tells the others. When it goes, another takes over.
 */
export function startLive(): Live {
  const ending = new AbortController();
  const channel = new BroadcastChannel('palyra.live');
  const listeners = new Set<() => void>();
  const known: Known = { state: 'connecting', newest: 0n, leads: false };
  const take = (word: Word) => {
    learn(known, word);
    for (const listener of listeners) listener();
  };
  const say = (word: Word) => {
    take(word);
    channel.postMessage(word);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    take(data);
    if (data.is === 'hello' && known.leads) say({ is: 'state', state: known.state });
  });
  channel.postMessage({ is: 'hello' } satisfies Word);
  void navigator.locks
    .request('palyra.live', { signal: ending.signal }, () => lead(known, say, ending.signal))
    .catch(() => {
      // What does not get better by asking again; pages then show the refusal themselves.
      if (!ending.signal.aborted) say({ is: 'state', state: 'ended' });
    });
  return {
    state: () => known.state,
    newest: () => known.newest,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    stop() {
      ending.abort();
      channel.close();
    },
  };
}

function learn(known: Known, word: Word): void {
  switch (word.is) {
    case 'state':
      // What could not be asked meanwhile is asked now.
      if (known.state === 'waiting' && word.state === 'live') forgetAllAnswers();
      known.state = word.state;
      return;
    case 'resync':
      forgetAllAnswers();
      return;
    case 'news':
      known.newest = BigInt(word.newest);
      word.nouns.forEach(forgetAnswers);
      return;
    case 'hello':
      return;
  }
}

async function lead(known: Known, say: (word: Word) => void, signal: AbortSignal): Promise<void> {
  known.leads = true;
  // Where the tab before has ended; what happened meanwhile is told first.
  const heard = { after: known.newest };
  const gathered = new Set<Noun>();
  const flush = () => {
    if (!signal.aborted) say({ is: 'news', nouns: [...gathered], newest: String(heard.after) });
    gathered.clear();
  };
  const onMessage = (note: EntryNote) => {
    // Not an interval: in a tab that has long not been seen, browsers let those beat once a minute.
    if (gathered.size === 0) setTimeout(flush, GATHER_MS);
    // What was asked before the first note may be older than it.
    if (note.resync || heard.after === 0n) say({ is: 'resync' });
    else nounsOf(note.kind).forEach((noun) => gathered.add(noun));
    heard.after = note.sequence;
    gathered.add('journal');
  };
  await hear({
    open: (opening) => watchFrom(heard.after, opening),
    onMessage,
    onState: (state) => {
      if (state.is !== known.state) say({ is: 'state', state: state.is });
    },
    signal,
  });
}

async function* watchFrom(afterSequence: bigint, signal: AbortSignal): AsyncIterable<EntryNote> {
  const gateway = await gatewayLater();
  yield* gateway.journal.watchEntries({ afterSequence }, { signal });
}
