import { hear } from './stream.ts';

export interface SharedStream<Message> {
  /** What all tabs know it by. */
  readonly name: string;
  open(signal: AbortSignal): AsyncIterable<Message>;
  onMessage(message: Message): void;
  readonly signal: AbortSignal;
}

type Word<Message> =
  | { readonly is: 'message'; readonly message: Message }
  /** Of a tab that has just come, and knows nothing yet. */
  | { readonly is: 'hello' };

/**
 * A stream of states, for all tabs together: one tab holds it and tells the others, and another takes over
 * when that one leaves. Contract: each message says all that the one before did, so only the newest
 * counts. Rejects with what does not get better by asking again.
 */
export async function shareStream<Message>(shared: SharedStream<Message>): Promise<void> {
  const { name, signal } = shared;
  const channel = new BroadcastChannel(name);
  const known: { newest?: Message } = {};
  const take = (message: Message) => {
    known.newest = message;
    shared.onMessage(message);
  };
  const say = (word: Word<Message>) => channel.postMessage(word);
  channel.addEventListener('message', ({ data }: MessageEvent<Word<Message>>) => {
    if (data.is === 'message') take(data.message);
    else if (known.newest !== undefined) say({ is: 'message', message: known.newest });
  });
  say({ is: 'hello' });
  const lead = () =>
    hear<Message>({
      open: (opening) => shared.open(opening),
      onMessage: (message) => {
        take(message);
        say({ is: 'message', message });
      },
      signal,
    });
  try {
    await navigator.locks.request(name, { signal }, lead);
  } catch (reason) {
    if (!signal.aborted) throw reason;
  } finally {
    channel.close();
  }
}
