import { type Clock, systemClock } from '@palyra/kernel';

/** The part of standard input that is used here, so that a test can hand in a plain one. */
export interface Keyboard {
  setRawMode(isRaw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown;
  off(event: 'data', listener: (bytes: Uint8Array) => void): unknown;
}

export interface KeyParts {
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  /** Ctrl-C is a key like any other while single keys are read; it must not lose its meaning. */
  readonly interrupt: () => void;
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** Somebody may still be typing at something else when the question comes up. */
const SETTLE_MS = 300;

export function ownKeys(): KeyParts {
  return {
    keyboard: process.stdin,
    clock: systemClock(),
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  };
}

/**
 * One key of the person, lower case. Contract: `undefined` when they end their input or the question
 * is taken back. What was typed before the question stood there, and what comes in one piece with
 * something else, such as a paste, is no answer.
 */
export async function readKey(
  { keyboard, clock, interrupt }: KeyParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let isSettled = false;
  const onData = (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('utf8');
    if (text.includes(CTRL_C)) interrupt();
    else if (text === CTRL_D) resolve(undefined);
    else if (isSettled && text.length === 1) resolve(text.toLowerCase());
  };
  const onAbort = () => resolve(undefined);
  const done = new AbortController();
  signal.addEventListener('abort', onAbort, { once: true });
  keyboard.setRawMode(true);
  keyboard.on('data', onData);
  keyboard.resume();
  void clock.sleep(SETTLE_MS, done.signal).then(
    () => (isSettled = true),
    () => {},
  );
  try {
    return await promise;
  } finally {
    done.abort();
    signal.removeEventListener('abort', onAbort);
    keyboard.off('data', onData);
    keyboard.pause();
    keyboard.setRawMode(false);
  }
}
