import { describe, expect, it, vi } from 'vitest';
import { Remembered } from './remembered.ts';

describe('Remembered', () => {
  it('looks once for as long as nothing changes', async () => {
    const remembered = new Remembered<string>(() => 1);
    const look = vi.fn<() => Promise<string>>(() => Promise.resolve('ada'));
    expect(await remembered.get('a', look)).toBe('ada');
    expect(await remembered.get('a', look)).toBe('ada');
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('looks again after any change', async () => {
    let revision = 1;
    const remembered = new Remembered<number>(() => revision);
    expect(await remembered.get('a', () => Promise.resolve(1))).toBe(1);
    revision = 2;
    expect(await remembered.get('a', () => Promise.resolve(2))).toBe(2);
  });

  it('does not keep what was read before a change that came while it was read', async () => {
    let revision = 1;
    const remembered = new Remembered<string>(() => revision);
    const old = remembered.get('a', () => {
      revision = 2;
      return Promise.resolve('old');
    });
    expect(await old).toBe('old');
    expect(await remembered.get('a', () => Promise.resolve('new'))).toBe('new');
    revision = 1;
    expect(await remembered.get('a', () => Promise.resolve('newer'))).toBe('newer');
  });

  it('does not keep a failure', async () => {
    const remembered = new Remembered<string>(() => 1);
    await expect(remembered.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow();
    expect(await remembered.get('a', () => Promise.resolve('back'))).toBe('back');
  });

  it('keeps a bounded number of answers', async () => {
    const remembered = new Remembered<string>(() => 1);
    const look = vi.fn<() => Promise<string>>(() => Promise.resolve('x'));
    for (let each = 0; each <= 1_024; each += 1) await remembered.get(`${each}`, look);
    await remembered.get('0', look);
    expect(look).toHaveBeenCalledTimes(1_026);
  });
});
