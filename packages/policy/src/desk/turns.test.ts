import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('turns', () => {
  it('are taken one after the other, whatever becomes of each', async () => {
    const turns = new Turns(8);
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'a') throw new Error('a fails');
      return name;
    };
    const ends = await Promise.allSettled([turns.take(work('a')), turns.take(work('b'))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('are refused when so many wait beside the one at work', async () => {
    const turns = new Turns(2);
    const first = Promise.withResolvers<number>();
    const held = [0, 1, 2].map(() => turns.take(() => first.promise));
    await expect(turns.take(() => first.promise)).rejects.toMatchObject({ code: 'OVERLOADED' });
    first.resolve(1);
    expect(await Promise.all(held)).toEqual([1, 1, 1]);
    expect(await turns.take(async () => 2)).toBe(2);
  });
});
