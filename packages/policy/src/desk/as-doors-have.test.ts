import { create } from '@bufbuild/protobuf';
import {
  DecisionKind,
  Permission,
  PolicyExplanationSchema,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { asDoorsHave } from './as-doors-have.ts';

const ADA = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  role: Role.OPERATOR,
  channel: 'cli',
  permissions: new Set([Permission.SESSIONS_USE]),
};
const OFFER = { smallestRule: 'permit (…);', smallestRuleEffect: 'allows it' };

describe('what the rules say of somebody without the permission', () => {
  it.each([DecisionKind.ALLOW, DecisionKind.DENY])(
    'is a denial that no rule changes (%s)',
    (kind) => {
      const told = create(PolicyExplanationSchema, { kind, reason: 'as they say', ...OFFER });
      expect(asDoorsHave(told, ADA, Permission.POLICY_MANAGE)).toMatchObject({
        kind: DecisionKind.DENY,
        reason: '`user:ada` lacks the permission `policy.manage`, and no rule gives one',
        help: expect.stringContaining('`palyra access members role`'),
        smallestRule: '',
        smallestRuleEffect: '',
      });
    },
  );

  it('stands as it is for whoever has it', () => {
    const told = create(PolicyExplanationSchema, { kind: DecisionKind.DENY, ...OFFER });
    expect(asDoorsHave(told, ADA, Permission.SESSIONS_USE)).toBe(told);
  });
});
