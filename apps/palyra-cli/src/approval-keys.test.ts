import { ApprovalStatus, GrantScope } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { shownApproval } from '../testing/approval.ts';
import { waitingLine } from './render/approvals.ts';
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

  it('only denies where a rule wants a passkey, and says where a yes is given', () => {
    const { approval, offers } = shownApproval();
    const gates = approval.gates.map((gate) => ({ ...gate, strength: 'passkey' }));
    const shown = { approval: { ...approval, gates }, offers };
    for (const key of ['y', 's', 'a']) expect(meaningOf(key, shown)).toBeUndefined();
    expect(meaningOf('n', shown)).toEqual({ kind: 'deny' });
    expect(keyHints(shown)[0]?.says).toContain('`palyra console`');
    expect(waitingLine(shown, { gateway: 'office' })).toContain(
      '`palyra console --gateway office`',
    );
  });
});
