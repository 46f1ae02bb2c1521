import { describe, expect, it } from 'vitest';
import { DURATION, interleave, subject } from './harness.ts';

describe('interleave', () => {
  it('measures the subjects in turns and changes the order every round', async () => {
    const order: string[] = [];
    const recorded = (name: string) =>
      subject(name, async () => {
        order.push(name);
        return 1;
      });

    const subjects = [recorded('a'), recorded('b')];
    await interleave({ title: 't', quantity: DURATION, subjects, warmUps: 0, rounds: 3 });

    expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  });

  it('throws the samples of warm-up rounds away', async () => {
    let sample = 0;
    const counting = subject('counting', async () => (sample += 1));

    const run = await interleave({
      title: 't',
      quantity: DURATION,
      subjects: [counting],
      warmUps: 2,
      rounds: 3,
    });

    expect(run.series).toEqual({ counting: [3, 4, 5] });
  });

  it('refuses a subject that gave no number in some round', async () => {
    const broken = subject('broken', async () => Number.NaN);
    await expect(
      interleave({ title: 't', quantity: DURATION, subjects: [broken], warmUps: 0, rounds: 1 }),
    ).rejects.toThrow('`broken` was not measured once in every round');
  });

  it('refuses two subjects of one name', async () => {
    const twin = subject('twin', async () => 1);
    await expect(
      interleave({ title: 't', quantity: DURATION, subjects: [twin, twin], warmUps: 0, rounds: 1 }),
    ).rejects.toThrow('`twin` was not measured once in every round');
  });
});
