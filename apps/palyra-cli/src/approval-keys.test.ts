import { ApprovalStatus, GrantScope } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { shownApproval } from '../testing/approval.ts';
import { keyHints, meaningOf, widerHints, widerMeaningOf } from './approval-keys.ts';

describe('a key that answers', () => {
  it('grants once, for the session, or for a wider shape', () => {
    const shown = shownApproval();
    expect(meaningOf('y', shown)).toMatchObject({
      given: { answer: ApprovalStatus.GRANTED, scope: GrantScope.ONCE, fingerprint: 'f00d' },
    });
    expect(meaningOf('s', shown)).toMatchObject({
      given: { scope: GrantScope.SESSION, shape: 'exact' },
    });
    expect(meaningOf('a', shown)).toEqual({ kind: 'widen' });
    expect(widerHints(shown)).toEqual([{ key: '1', says: '`git push` and more' }]);
    expect(widerMeaningOf('1', shown)).toMatchObject({
      given: { scope: GrantScope.SESSION, shape: 'command' },
    });
  });

  it('means nothing where there is nothing to choose', () => {
    expect(meaningOf('x', shownApproval())).toBeUndefined();
    for (const key of ['0', '2', 'y', '']) {
      expect(widerMeaningOf(key, shownApproval())).toBeUndefined();
    }
  });

  it('grants this call alone where several people have to answer', () => {
    const shown = shownApproval({}, 2);
    expect(meaningOf('s', shown)).toBeUndefined();
    expect(meaningOf('a', shown)).toBeUndefined();
    expect(keyHints(shown).map(({ key }) => key)).toEqual(['y', 'n', 'd', 'q']);
  });
});
