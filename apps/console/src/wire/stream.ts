import { PalyraError } from '@palyra/kernel';

export interface StreamOrder<Message> {
  /** Opens it; asked again, it goes on after what was heard. */
  open(signal: AbortSignal): AsyncIterable<Message>;
  onMessage(message: Message): void;
  onState?(state: StreamState): void;
  readonly signal: AbortSignal;
}

export type StreamState =
  | { readonly is: 'connecting' | 'live' | 'ended' }
  | { readonly is: 'waiting'; readonly reason: PalyraError; readonly untilMs: number };

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * These do not get better by asking again. Whoever is not known may be at the next try: the look whether
 * the session is over sets the clock right, and where it is over the page is left.
 */
const FINAL: ReadonlySet<string> = new Set([
  'INVALID_INPUT',
  'NOT_BUILT',
  'NOT_FOUND',
  'ORIGIN_REFUSED',
  'PERMISSION_DENIED',
]);

/**
 * Hears a stream to its end, opening it again when it breaks, after waits that double. Contract:
 * resolves when the stream ends by itself or the signal is aborted; throws what does not get better
 * by asking again.
 */
export async function hear<Message>(order: StreamOrder<Message>): Promise<void> {
  const { signal } = order;
  for (
    let waitMs = FIRST_WAIT_MS;
    !signal.aborted;
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  ) {
    order.onState?.({ is: 'connecting' });
    try {
      for await (const message of order.open(signal)) {
        waitMs = FIRST_WAIT_MS;
        order.onState?.({ is: 'live' });
        order.onMessage(message);
      }
      order.onState?.({ is: 'ended' });
      return;
    } catch (reason) {
      if (signal.aborted) return;
      const error = PalyraError.from(reason);
      if (FINAL.has(error.code)) throw error;
      // Many tabs and a gateway that comes back: not all in the same moment.
      const jitteredMs = waitMs * (0.75 + random() / 2);
      order.onState?.({ is: 'waiting', reason: error, untilMs: jitteredMs });
      await pause(jitteredMs, signal);
    }
  }
}

function random(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
