import { setInterval } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createReadableText } from './readable-text.ts';

const NEVER = new AbortController().signal;
const origin = 'https://site.example';
const read = createReadableText();

describe('a page that was made to hurt', () => {
  it.each([
    ['nests without end', '<div>'.repeat(400_000)],
    ['has a tag with a million attributes', `<p ${'a=b '.repeat(1_000_000)}>x</p>`],
    ['never closes a comment', `<!--${'-'.repeat(4_000_000)}`],
  ])('%s ends in a text or a refusal, and holds up nobody', async (_, html) => {
    let beats = 0;
    const stop = new AbortController();
    const beating = (async () => {
      try {
        for await (const _beat of setInterval(5, undefined, { signal: stop.signal })) beats += 1;
      } catch {
        // That is how it is stopped.
      }
    })();
    const outcome = await read({ html, origin }, NEVER).then(
      (text) => typeof text,
      (error: unknown) => error,
    );
    stop.abort();
    await beating;
    expect(['string', expect.objectContaining({ code: 'TOOL_FAILED' })]).toContainEqual(outcome);
    expect(beats).toBeGreaterThan(1);
  });

  it('is left alone when nobody waits any more', async () => {
    const stop = new AbortController();
    const reading = read({ html: '<div>'.repeat(400_000), origin }, stop.signal);
    stop.abort();
    await expect(reading).rejects.toThrow('');
  });
});

describe('pages', () => {
  it('are read two at a time, all of them', async () => {
    const texts = await Promise.all(
      Array.from({ length: 6 }, (_, place) => read({ html: `<p>${place}</p>`, origin }, NEVER)),
    );
    expect(texts).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  it('wait for their turn no longer than their call lasts, and leave it to others', async () => {
    const slow = new AbortController();
    const page = { html: '<div>'.repeat(400_000), origin };
    const first = [1, 2].map(() => read(page, slow.signal));
    const given = new AbortController();
    const late = read({ html: '<p>late</p>', origin }, given.signal);
    const next = read({ html: '<p>next</p>', origin }, NEVER);
    given.abort();
    await expect(late).rejects.toThrow('it took too long');
    slow.abort();
    await Promise.allSettled(first);
    expect(await next).toBe('next');
  });
});
