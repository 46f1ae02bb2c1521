import type { ModelPort } from '@palyra/gateway';
import { ApprovalStatus, DecisionKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { GIT, call, gated, openRules } from './approvals-and-rules.fixture.ts';
import { talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';
import { verifies } from './verifies.ts';

describe('after a yes the rules decide again', () => {
  it(
    'and one of somebody who has lost their role meanwhile does not suffice',
    verifies('approvals:shown-is-run'),
    async () => {
      await using at = await openRules();
      const decisions = await at.run(async (record) => {
        at.roles.set('user:bob', Role.UNSPECIFIED);
        await at.yes(record, 'user:bob');
      });
      expect(decisions).toMatchObject([
        { kind: DecisionKind.DENY, approvalId: expect.stringMatching(/^[0-9A-Z]{26}$/) },
      ]);
      expect(at.sandbox.requests).toEqual([]);
    },
  );

  it('and a rule may forbid that somebody approves their own call', async () => {
    const rule = (own: string) =>
      `@id("not-ones-own")\n@says("somebody else has to say yes")\nforbid (principal, action == Action::"tool.execute", resource)\nwhen { context has approval && context.approval.approvers.contains("${own}") };\n`;
    await using own = await openRules({ rule: rule('user:bob') });
    const [denied] = await own.run(async (record) => await own.yes(record, 'user:bob'));
    expect(denied).toMatchObject({ kind: DecisionKind.DENY, ruleIds: ['not-ones-own'] });
    expect(own.sandbox.requests).toEqual([]);
    await using other = await openRules({ rule: rule('user:bob') });
    const [allowed] = await other.run(async (record) => await other.yes(record, 'user:eve'));
    expect(allowed).toMatchObject({ kind: DecisionKind.ALLOW });
    expect(other.sandbox.requests).toHaveLength(1);
  });

  it('nor through a device that they let in for somebody else', async () => {
    const own = ownerCaller().principal;
    const rule = `@id("not-ones-own")\n@says("somebody else has to say yes")\nforbid (principal, action == Action::"tool.execute", resource)\nwhen { context has approval && context.approval.approvers.contains("${own}") };\n`;
    await using at = await openRules({ rule });
    const [denied] = await at.run(async (record) => await at.yes(record, 'user:bob', [own]));
    expect(denied).toMatchObject({ kind: DecisionKind.DENY, ruleIds: ['not-ones-own'] });
    expect(at.sandbox.requests).toEqual([]);
  });

  it('and where two people are wanted, one is not enough', async () => {
    const rule = gated('@quorum("2")', 'context.approval.count >= 2');
    await using at = await openRules({ rule });
    const [decision] = await at.run(async (record) => {
      await at.yes(record, 'user:bob');
      expect((await at.approvals.get(record.approvalId)).record.status).toBe(
        ApprovalStatus.PENDING,
      );
      expect(at.sandbox.requests).toEqual([]);
      await at.yes(record, 'user:eve');
    });
    expect(decision).toMatchObject({ kind: DecisionKind.ALLOW });
    expect(at.sandbox.requests).toHaveLength(1);
  });
});

it(
  'what a model makes of its words after they were said changes nothing',
  verifies('approvals:shown-is-run'),
  async () => {
    const said = { ...call(GIT) };
    const model: ModelPort = {
      ...talkingModel(),
      async *reply({ conversation }) {
        if (conversation.some(({ role }) => role === 'model')) return;
        yield said;
      },
    };
    await using at = await openRules({ model });
    await at.run(async (record) => {
      Object.assign(said, { argumentsJson: '{"command":"rm","args":["-rf","."]}' });
      await at.yes(record);
    });
    expect(at.sandbox.requests).toMatchObject([
      { arguments: { command: 'git', args: ['status'] } },
    ]);
  },
);
