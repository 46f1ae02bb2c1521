import { createIds, systemClock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { SessionLines } from './session-lines.ts';

const sessionId = createIds(systemClock()).next<'session'>();
const limits = { busy: 2, waiting: 2 };

describe('the line of a session', () => {
  it('lets one go at a time, in order, whoever leaves', async () => {
    const lines = new SessionLines();
    const [one, two, three] = [1, 2, 3].map(() => lines.enter(sessionId, 'wait', limits));
    expect([one?.isFirst, two?.isFirst, three?.isFirst]).toEqual([true, false, false]);
    await one?.turn;
    let isThreesTurn = false;
    const waited = three?.turn.then(() => (isThreesTurn = true));
    two?.leave();
    two?.leave();
    await Promise.resolve();
    expect(isThreesTurn).toBe(false);
    one?.leave();
    await waited;
    three?.leave();
    expect(lines.enter(sessionId, 'refuse', limits).isFirst).toBe(true);
  });

  it('has as many places as it has', () => {
    const lines = new SessionLines();
    for (let place = 0; place < 3; place += 1) lines.enter(sessionId, 'wait', limits);
    expect(() => lines.enter(sessionId, 'wait', limits)).toThrow(
      expect.objectContaining({ code: 'OVERLOADED' }),
    );
    expect(() => lines.enter(sessionId, 'refuse', limits)).toThrow(
      expect.objectContaining({ code: 'SESSION_BUSY' }),
    );
  });
});
