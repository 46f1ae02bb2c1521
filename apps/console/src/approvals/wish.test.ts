import { create } from '@bufbuild/protobuf';
import { ApprovalStatus, GrantScope, OfferedShapeSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ONCE, consequence, noTo, sessionWish, yesTo } from './wish.ts';

const shown = { approvalId: 'A', fingerprint: 'f' };
const offers = [
  create(OfferedShapeSchema, { name: 'exact', says: 'exactly this call, with these arguments' }),
  create(OfferedShapeSchema, { name: 'command', says: '`git log` with any further arguments' }),
];

describe('an answer', () => {
  it('is for what was shown, and for this call alone unless more is asked for', () => {
    expect(yesTo(shown, ONCE)).toEqual({
      approvalId: 'A',
      fingerprint: 'f',
      answer: ApprovalStatus.GRANTED,
      scope: GrantScope.ONCE,
    });
  });

  it('names shape, uses and end of a wider yes', () => {
    const until = '2026-11-17T00:00:00.000Z';
    const wish = { scope: 'until', shape: 'command', until, uses: 5 } as const;
    expect(yesTo(shown, wish)).toMatchObject({
      scope: GrantScope.UNTIL,
      shape: 'command',
      until,
      uses: 5,
    });
  });

  it('carries the reason of a no', () => {
    expect(noTo(shown, 'not today')).toMatchObject({
      fingerprint: 'f',
      answer: ApprovalStatus.DENIED,
      reason: 'not today',
    });
  });

  it('for a session is the narrowest that is offered', () => {
    expect(sessionWish(offers)).toMatchObject({ scope: 'session', shape: 'exact' });
    expect(sessionWish([])).toBeUndefined();
  });
});

describe('what a yes lets happen', () => {
  it('is said in a sentence', () => {
    expect(consequence(ONCE, offers, 'ada')).toBe(
      'This call runs, once. The next one is asked about again.',
    );
    const wish = { scope: 'session', shape: 'command', until: '', uses: 1 } as const;
    expect(consequence(wish, offers, 'ada')).toBe(
      'Runs without asking from now on, in this session, for a day at most, at most 1 time: `git log` with any further arguments.',
    );
  });
});
