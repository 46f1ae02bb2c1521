import { Worker } from 'node:worker_threads';
import { PalyraError } from '@palyra/kernel';
import type { HtmlPage, ReadableText } from './hands.ts';

/** Pages that are read at once; others wait for their turn as long as their call does. */
const AT_ONCE = 2;
/** A page that takes longer is made to. */
const LONGEST_MS = 5_000;
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/**
 * Reads pages in threads of their own, with a bound on memory and time: a page that somebody made to
 * hurt a parser hurts that thread.
 */
export function createReadableText(): ReadableText {
  const waiting = new Set<() => void>();
  let free = AT_ONCE;
  const begin = async (signal: AbortSignal): Promise<void> => {
    if (free === 0) return await turnOf(waiting, signal);
    free -= 1;
  };
  const end = () => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  return async (page, signal) => {
    await begin(signal);
    try {
      // It may be over meanwhile, and nobody is told that again.
      if (signal.aborted) throw unreadable('it took too long');
      return await readInThread(page, signal);
    } finally {
      end();
    }
  };
}

/** Contract: whoever is called is no longer among those that wait. */
async function turnOf(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const go = () => {
    waiting.delete(go);
    signal.removeEventListener('abort', leave);
    resolve();
  };
  const leave = () => {
    waiting.delete(go);
    reject(unreadable('it took too long'));
  };
  waiting.add(go);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  await promise;
}

async function readInThread(page: HtmlPage, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const ended = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const worker = new Worker(program(), {
    workerData: page,
    resourceLimits: RESOURCES,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const stop = () => reject(unreadable('it took too long'));
  ended.addEventListener('abort', stop, { once: true });
  worker.once('message', (text: unknown) => resolve(String(text)));
  worker.once('error', (cause) => reject(unreadable('the parser gave up', cause)));
  worker.once('exit', () => reject(unreadable('the parser gave up')));
  try {
    return await promise;
  } finally {
    ended.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** From source it runs source; in a bundle it has a file beside the program. */
function program(): URL {
  const name = import.meta.url.endsWith('.ts') ? './html-worker.ts' : './html-worker.cjs';
  return new URL(name, import.meta.url);
}

function unreadable(why: string, cause?: unknown): PalyraError {
  return new PalyraError('TOOL_FAILED', `it could not be turned into text: ${why}`, { cause });
}
