import { describe, expect, it } from 'vitest';
import { Gate } from './gate.ts';

describe('a gate', () => {
  it('lets as many in as it is wide, and the next when one has left, in their order', async () => {
    const gate = new Gate({ width: 2, mostWaiting: 2 });
    const [one] = [await gate.enter(), await gate.enter()];
    expect(gate.tryEnter()).toBeUndefined();
    const order: string[] = [];
    const third = gate.enter().then((turn) => {
      order.push('third');
      return turn;
    });
    const fourth = gate.enter().then((turn) => {
      order.push('fourth');
      return turn;
    });
    one[Symbol.dispose]();
    (await third)[Symbol.dispose]();
    (await fourth)[Symbol.dispose]();
    expect(order).toEqual(['third', 'fourth']);
    expect(gate.tryEnter()).toBeDefined();
  });

  it('turns away who would wait behind too many', async () => {
    const gate = new Gate({ width: 1, mostWaiting: 0 });
    await gate.enter();
    await expect(gate.enter()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  });
});
