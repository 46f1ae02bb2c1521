import { describe, expect, it } from 'vitest';
import { InputStream } from './input-stream.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe('the input of a run', () => {
  it('is asked for one piece at a time, and ends when there is no more', async () => {
    const pieces = ['one', 'two'].map(bytes);
    let asked = 0;
    const input = new InputStream(() => {
      asked += 1;
      input.take(pieces.shift());
    });
    const all = await Array.fromAsync(input);
    expect(Buffer.concat(all).toString()).toBe('onetwo');
    expect(asked).toBe(3);
  });

  it('drops what nobody asked for', async () => {
    const input = new InputStream(() => input.take(undefined));
    input.take(bytes('unasked'));
    expect(await Array.fromAsync(input)).toEqual([]);
  });

  it('ends for whoever waits when the run is over, and for whoever comes later', async () => {
    const input = new InputStream(() => {});
    const all = Array.fromAsync(input);
    input[Symbol.dispose]();
    expect(await all).toEqual([]);
    expect(await Array.fromAsync(input)).toEqual([]);
  });
});
