import { create } from '@bufbuild/protobuf';
import { type ApprovalRecord, ApprovalRecordSchema, ApprovalStatus, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { demandWords, outcomeWords, standingOf, vouchedWords, yesWords } from './standing.ts';

const ADA = { principal: 'user:ada', role: Role.OPERATOR };

function asked(gates: ApprovalRecord['gates'], by: readonly string[] = []): ApprovalRecord {
  const voices = by.map((principal) => ({ principal, answer: ApprovalStatus.GRANTED }));
  return create(ApprovalRecordSchema, { status: ApprovalStatus.PENDING, gates, voices });
}

function gate(terms: object): ApprovalRecord['gates'][number] {
  const usual = { ruleId: 'r', approvers: Role.OPERATOR, quorum: 1, strength: 'device' };
  const [made] = create(ApprovalRecordSchema, { gates: [{ ...usual, ...terms }] }).gates;
  if (made === undefined) throw new Error('no gate');
  return made;
}

describe('what somebody may still say', () => {
  it('is a yes for more calls where one person decides', () => {
    expect(standingOf(asked([gate({})]), ADA)).toMatchObject({
      wanted: 1,
      mayLease: true,
      needsPasskey: false,
      hasSaidYes: false,
      tooHigh: undefined,
    });
  });

  it('is no second yes, and no lease, where two people decide', () => {
    const standing = standingOf(asked([gate({}), gate({ quorum: 2 })], ['user:ada']), ADA);
    expect(standing).toMatchObject({ wanted: 2, hasSaidYes: true, mayLease: false });
    expect(yesWords(standing)).toBe('1 of 2 people said yes');
  });

  it('is nothing where a rule wants a higher role', () => {
    const high = gate({ ruleId: 'high', approvers: Role.OWNER });
    expect(standingOf(asked([gate({}), high]), ADA).tooHigh).toMatchObject({ ruleId: 'high' });
    expect(standingOf(asked([high]), { ...ADA, role: Role.OWNER }).tooHigh).toBeUndefined();
  });

  it('wants a passkey where any rule does', () => {
    expect(standingOf(asked([gate({}), gate({ strength: 'passkey' })]), ADA).needsPasskey).toBe(
      true,
    );
  });
});

describe('words of who let in the device', () => {
  const nameOf = (principal: string) => principal.replace('user:', '');

  it('are none where nobody else could have answered', () => {
    expect(vouchedWords({ vouchedBy: [] }, nameOf)).toBe('');
  });

  it('name them, or say that it is not known', () => {
    expect(vouchedWords({ vouchedBy: ['user:ada', 'user:bob'] }, nameOf)).toBe(
      ' (let in by ada, bob)',
    );
    expect(vouchedWords({ vouchedBy: ['user:ada', 'anybody'] }, nameOf)).toBe(
      ' (nobody knows who let in that device)',
    );
  });
});

describe('words of a demand', () => {
  it('say how many, who and how', () => {
    const strict = gate({ quorum: 2, approvers: Role.ADMIN, strength: 'passkey' });
    expect(demandWords(strict)).toBe('2 people, each admin or above, with a passkey');
    expect(demandWords(gate({}))).toBe('operator or above');
  });
});

describe('words of an outcome', () => {
  it('tell a yes that was used from one that waits for its call', () => {
    const granted = create(ApprovalRecordSchema, { status: ApprovalStatus.GRANTED });
    expect(outcomeWords(granted)).toBe('granted, not used yet');
    expect(outcomeWords({ ...granted, usedAt: '2026-11-16T00:00:00Z' })).toBe('granted');
  });
});
