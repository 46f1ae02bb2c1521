import { describe, expect, it } from 'vitest';
import { type Step, fromFindings, runSteps } from './step.ts';

describe('runSteps', () => {
  it('runs every step, also after one that failed or threw', async () => {
    const told: string[] = [];
    const outcomes = await runSteps(
      [
        step(() => fromFindings([{ path: 'a.ts', says: 'no' }])),
        step(() => {
          throw new Error('broken');
        }),
        step(() => fromFindings([])),
      ],
      (line) => told.push(line),
    );
    expect(told).toContain('    a.ts: no');
    expect(outcomes.map(({ failed }) => failed)).toEqual([1, 1, 0]);
    expect(outcomes[0]?.output).toBe('a.ts: no\n');
    expect(outcomes[1]?.output).toContain('broken');
  });

  it('never runs more than two at once', async () => {
    let running = 0;
    let most = 0;
    const slow = step(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return fromFindings([]);
    });
    await runSteps([slow, slow, slow, slow, slow], () => undefined);
    expect(most).toBe(2);
  });
});

function step(run: Step['run']): Step {
  return { name: 'step', run };
}
