import { EventEmitter } from 'node:events';
import type { Clock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { type Keyboard, readKey } from './key.ts';

/** A keyboard under the test's fingers, and a clock that it moves. */
function desk() {
  const events = new EventEmitter<{ data: [Uint8Array] }>();
  const modes: boolean[] = [];
  let settle = () => {};
  let interrupts = 0;
  const keyboard: Keyboard = {
    setRawMode: (isRaw) => modes.push(isRaw),
    resume: () => {},
    pause: () => {},
    on: (event, listener) => events.on(event, listener),
    off: (event, listener) => events.off(event, listener),
  };
  const clock: Clock = {
    now: () => new Date(0),
    sleep: () => new Promise((resolve) => (settle = resolve)),
  };
  return {
    parts: { keyboard, clock, interrupt: () => void (interrupts += 1) },
    press: (text: string) => events.emit('data', Buffer.from(text)),
    settle: async () => {
      settle();
      await Promise.resolve();
    },
    modes,
    listeners: () => events.listenerCount('data'),
    interrupts: () => interrupts,
  };
}

const never = new AbortController().signal;

describe('a single key', () => {
  it('answers, in lower case, and gives the terminal back', async () => {
    const { parts, press, settle, modes, listeners } = desk();
    const key = readKey(parts, never);
    await settle();
    press('Y');
    expect(await key).toBe('y');
    expect(modes).toEqual([true, false]);
    expect(listeners()).toBe(0);
  });

  it('that was pressed before the question could be read is no answer', async () => {
    const { parts, press, settle } = desk();
    const key = readKey(parts, never);
    press('y');
    await settle();
    press('n');
    expect(await key).toBe('n');
  });

  it('is not taken out of a paste or an escape sequence', async () => {
    const { parts, press, settle } = desk();
    const key = readKey(parts, never);
    await settle();
    press('yes');
    press('\u001b[A');
    press('q');
    expect(await key).toBe('q');
  });

  it('that is Ctrl-C interrupts, at any moment, and answers nothing', async () => {
    const { parts, press, interrupts } = desk();
    const back = new AbortController();
    const key = readKey(parts, back.signal);
    press('\u0003');
    expect(interrupts()).toBe(1);
    back.abort();
    expect(await key).toBeUndefined();
  });

  it('is not waited for once the question is taken back', async () => {
    const { parts, modes } = desk();
    expect(await readKey(parts, AbortSignal.abort())).toBeUndefined();
    expect(modes).toEqual([]);
  });
});
