import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

const NEVER = new AbortController().signal;

/** Whether somebody is inside by now: everything that could happen at once has happened. */
async function isInside(entering: Promise<Disposable>): Promise<boolean> {
  let inside = false;
  void entering.then(
    () => (inside = true),
    () => {},
  );
  await new Promise<void>((resolve) => setImmediate(resolve));
  return inside;
}

describe('a turnstile', () => {
  it('lets so many in, and the others one by one in the order they came', async () => {
    const turnstile = new Turnstile({ inside: 1, waiting: 2 });
    const first = await turnstile.enter(NEVER);
    const [second, third] = [turnstile.enter(NEVER), turnstile.enter(NEVER)];
    expect([await isInside(second), await isInside(third)]).toEqual([false, false]);
    first[Symbol.dispose]();
    expect([await isInside(second), await isInside(third)]).toEqual([true, false]);
    (await second)[Symbol.dispose]();
    expect(await isInside(third)).toBe(true);
  });

  it('refuses whoever would be one too many to wait', async () => {
    const turnstile = new Turnstile({ inside: 1, waiting: 1 });
    await turnstile.enter(NEVER);
    void turnstile.enter(NEVER);
    await expect(turnstile.enter(NEVER)).rejects.toMatchObject({
      code: 'OVERLOADED',
      message: '1 commands run, and 1 more wait already',
    });
  });

  it('gives the place of whoever does not want to wait any more to the next', async () => {
    const turnstile = new Turnstile({ inside: 1, waiting: 1 });
    const first = await turnstile.enter(NEVER);
    const stop = new AbortController();
    const tired = turnstile.enter(stop.signal);
    stop.abort();
    await expect(tired).rejects.toMatchObject({ code: 'CANCELLED' });
    const next = turnstile.enter(NEVER);
    first[Symbol.dispose]();
    expect(await isInside(next)).toBe(true);
  });

  it('lets nobody in who has given up before', async () => {
    const turnstile = new Turnstile({ inside: 1, waiting: 1 });
    await expect(turnstile.enter(AbortSignal.abort())).rejects.toThrow();
    expect(await isInside(turnstile.enter(NEVER))).toBe(true);
  });

  it('does not take back a place that was given away before the signal came', async () => {
    const turnstile = new Turnstile({ inside: 1, waiting: 2 });
    const first = await turnstile.enter(NEVER);
    const stop = new AbortController();
    const second = turnstile.enter(stop.signal);
    first[Symbol.dispose]();
    stop.abort();
    const third = turnstile.enter(NEVER);
    expect([await isInside(second), await isInside(third)]).toEqual([true, false]);
  });
});
