import { DecisionKind, Role } from '@palyra/protocol';
import { type TestGateway, ownerCaller, testGateway } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let test: TestGateway;
beforeAll(async () => {
  test = await testGateway({ rules: 'ask' });
  const owner = ownerCaller();
  const [first] = await test.parts.identity.members.list();
  const caller = { ...owner, member: { userId: first?.userId ?? '', name: '', role: Role.OWNER } };
  await test.parts.identity.members.add('olga', Role.OPERATOR, caller);
  await test.parts.identity.members.add('abe', Role.ADMIN, caller);
});
afterAll(() => test[Symbol.asyncDispose]());

interface Wish {
  readonly principal?: string;
  readonly action: string;
  readonly owner?: string;
  readonly role?: string;
  readonly workspace?: string;
  readonly facts?: Record<string, string>;
}

async function explained(wish: Wish) {
  const value = { $typeName: 'palyra.v1.HypotheticalAct' as const, channel: '', ...wish };
  const act = { principal: '', owner: '', role: '', workspace: '', ...value };
  const answer = await test.gateway.policy.explain(
    { subject: { case: 'act', value: act } },
    ownerCaller(),
  );
  return { kind: answer.kind, rules: answer.rules.map(({ id }) => id) };
}

const { ALLOW, DENY } = DecisionKind;

describe('what somebody would do with the gateway is explained', () => {
  it.each([
    ['user:abe', 'work.stop', 'user:olga', '', ALLOW, 'admins-stop-the-work-of-others'],
    ['user:olga', 'work.stop', 'user:olga', '', ALLOW, 'people-go-on-with-their-own-work'],
    ['user:abe', 'work.speak', 'user:olga', '', DENY, 'nobody-speaks-for-others'],
    ['user:abe', 'people.admit', 'user:olga', '', ALLOW, 'people-look-after-people'],
    ['user:abe', 'people.change', 'user:olga', 'owner', DENY, 'nobody-reaches-above-themselves'],
    ['user:abe', 'policy.manage', '', '', ALLOW, 'admins-look-after-the-gateway'],
  ])('%s: %s of %s %s', async (principal, action, owner, role, kind, rule) => {
    expect(await explained({ principal, action, owner, role })).toEqual({ kind, rules: [rule] });
  });

  it('in the folder that is named, or in the gateway’s own', async () => {
    const open = { principal: 'user:olga', action: 'workspace.open' };
    const allowed = { kind: ALLOW, rules: ['people-open-workspaces'] };
    expect(await explained(open)).toEqual(allowed);
    expect(await explained({ ...open, workspace: '/workspace' })).toEqual(allowed);
    await expect(explained({ ...open, workspace: '/elsewhere' })).rejects.toMatchObject({
      code: 'SANDBOX_SCOPE_DENIED',
    });
  });

  it('unless a call does it, which is named instead', async () => {
    await expect(explained({ action: 'host.connect' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      help: expect.stringContaining('--connect'),
    });
  });

  it('as allowed for nobody whose role lacks the permission, whatever a rule says', async () => {
    const found = await explained({ principal: 'user:olga', action: 'policy.manage' });
    expect(found).toEqual({ kind: DENY, rules: [] });
  });

  it('by what the call needs first, which an operator has not', async () => {
    const found = await explained({
      principal: 'user:olga',
      action: 'people.admit',
      owner: 'user:abe',
    });
    expect(found).toEqual({ kind: DENY, rules: [] });
  });

  it.each([
    [{ action: 'work.dance' }, 'nothing is known'],
    [{ action: 'nonsense' }, 'nothing is known'],
    [{ action: 'policy.manage', owner: 'user:olga' }, 'is not about somebody'],
    [{ action: 'work.see', owner: 'olga' }, "is nobody's name"],
    [{ action: 'people.change', owner: 'user:olga', role: 'king' }, 'there is no role `king`'],
    [{ action: 'work.see', facts: { tier: 'C' } }, '`tier` is no fact of what people ask'],
    [{ action: 'work.see', workspace: '/workspace' }, 'is not about a folder'],
    [{ action: 'workspace.open', owner: 'user:olga' }, 'is not about somebody'],
  ])('unless it cannot be asked: %j', async (wish, message) => {
    await expect(explained(wish)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });
});
