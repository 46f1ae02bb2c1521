import { PalyraError } from '@palyra/kernel';

/** What the gateway still ends of the one before, it has ended by then. */
const WAITS_MS = [250, 500, 1_000, 2_000];

/** Waits a while. Contract: rejects with the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * The lines of an export, asked for anew while the gateway says that another one of this person is under
 * way. Contract: never after the first line, and a few times only: then the refusal stands.
 */
export async function* whenFree<Line>(
  ask: () => AsyncIterable<Line>,
  signal: AbortSignal,
  wait: Wait = waitFor,
): AsyncGenerator<Line, void, undefined> {
  for (const ms of WAITS_MS) {
    let hasBegun = false;
    try {
      for await (const line of ask()) {
        hasBegun = true;
        yield line;
      }
      return;
    } catch (reason) {
      if (hasBegun || PalyraError.from(reason).code !== 'OVERLOADED') throw reason;
    }
    await wait(ms, signal);
  }
  yield* ask();
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const wake = () => resolve();
  signal.addEventListener('abort', wake, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
  signal.throwIfAborted();
}
