import { DecisionKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { PolicyDecision, PolicyRequest, Strength } from '../model.ts';
import { callOf, requestOf } from '../request/call.fixture.ts';
import { decide } from './decide.ts';
import { createEngine } from './engine.ts';
import { ruleSetOf } from './rule-set.fixture.ts';

const ENGINE = createEngine();

const PERMIT = '@id("permit") permit (principal, action == Action::"tool.execute", resource);';
const UNLESS =
  'unless { context.unattended || (context has approval && context.approval.count >= 1) };';
const GATE = `@id("gate") @gate("approval") forbid (principal, action == Action::"tool.execute", resource) ${UNLESS}`;
const UNATTENDED = '@id("lift") permit (principal, action == Action::"tool.unattended", resource);';
const FORBID = '@id("forbid") forbid (principal, action, resource);';
const BROKEN =
  '@id("broken") forbid (principal, action == Action::"tool.execute", resource) when { context.http.port == 1 };';

async function decideBy(
  text: string,
  request: PolicyRequest = requestOf(),
): Promise<PolicyDecision> {
  return decide(await ENGINE.load(await ruleSetOf(text), 'scratch'), request);
}

const idsOf = (decision: PolicyDecision) => decision.rules.map(({ id }) => id);

const approvedBy = (...people: [string, Role, Strength][]) =>
  requestOf(callOf(), {
    approvers: people.map(([principal, role, strength]) => ({ principal, role, strength })),
  });

describe('without gates', () => {
  it('a permit allows', async () => {
    const decision = await decideBy(PERMIT);
    expect(decision).toMatchObject({ kind: DecisionKind.ALLOW, gates: [], errors: [] });
    expect(idsOf(decision)).toEqual(['permit']);
    expect(decision.request).toEqual(requestOf());
    expect(decision.setHash).toMatch(/^[\da-f]{64}$/);
  });

  it('no rule denies', async () => {
    expect(await decideBy('')).toMatchObject({ kind: DecisionKind.DENY, rules: [], errors: [] });
  });

  it('a forbid denies whatever is permitted', async () => {
    const decision = await decideBy(PERMIT + FORBID);
    expect(decision.kind).toBe(DecisionKind.DENY);
    expect(idsOf(decision)).toEqual(['forbid']);
  });

  it('a forbid that cannot be evaluated denies and says so', async () => {
    const decision = await decideBy(PERMIT + BROKEN);
    expect(decision.kind).toBe(DecisionKind.DENY);
    expect(idsOf(decision)).toEqual(['broken']);
    expect(decision.errors[0]).toContain('broken: ');
  });
});

describe('a gate', () => {
  it('asks for an approval', async () => {
    const decision = await decideBy(PERMIT + GATE);
    expect(decision.kind).toBe(DecisionKind.NEEDS_APPROVAL);
    expect(decision.gates.map(({ id }) => id)).toEqual(['gate']);
    expect(decision.request).toEqual(requestOf());
  });

  it('asks nobody for what no rule would allow anyway', async () => {
    const decision = await decideBy(GATE);
    expect(decision).toMatchObject({ kind: DecisionKind.DENY, rules: [], gates: [], errors: [] });
  });

  it('asks nobody for what something else forbids', async () => {
    const decision = await decideBy(PERMIT + GATE + FORBID);
    expect(decision).toMatchObject({ kind: DecisionKind.DENY, gates: [] });
    expect(idsOf(decision)).toEqual(['forbid', 'gate']);
  });

  it('asks nobody for what an approved call would be forbidden', async () => {
    const hidden =
      '@id("hidden") forbid (principal, action, resource) when { context has approval };';
    const decision = await decideBy(
      PERMIT + GATE + hidden.replace('action,', 'action == Action::"tool.execute",'),
    );
    expect(decision).toMatchObject({ kind: DecisionKind.DENY, gates: [] });
    expect(idsOf(decision)).toEqual(['hidden']);
  });

  it('asks nobody while another rule cannot be evaluated', async () => {
    const decision = await decideBy(PERMIT + GATE + BROKEN);
    expect(decision.kind).toBe(DecisionKind.DENY);
    expect(decision.errors).toHaveLength(1);
  });

  it('asks nobody when a rule breaks only once there is an approval', async () => {
    const broken = BROKEN.replace('when {', 'when { context has approval &&');
    const decision = await decideBy(PERMIT + GATE + broken);
    expect(decision.kind).toBe(DecisionKind.DENY);
    expect(decision.errors).toHaveLength(1);
  });

  it('that wants named approvers whom nobody stands for denies', async () => {
    const named = GATE.replace(
      'context.approval.count >= 1',
      'context.approval.approvers.contains("user:bo")',
    );
    expect((await decideBy(PERMIT + named)).kind).toBe(DecisionKind.DENY);
  });
});

describe('several gates', () => {
  const strict =
    `@id("strict") @gate("approval") @approvers("owner") @quorum("2") @strength("passkey")
    forbid (principal, action, resource == Tool::"process.run") unless {
      context has approval && context.approval.owners >= 2 &&
      context.approval.strengths.contains(Strength::"passkey")
    };`.replace('action,', 'action == Action::"tool.execute",');

  it('ask for one approval that suffices for all', async () => {
    const decision = await decideBy(PERMIT + GATE + strict);
    expect(decision.kind).toBe(DecisionKind.NEEDS_APPROVAL);
    expect(decision.gates.map(({ id }) => id)).toEqual(['gate', 'strict']);
  });

  it('deny what asks for more than its annotations say', async () => {
    const greedy = strict.replace('@quorum("2")', '@quorum("1")');
    const decision = await decideBy(PERMIT + GATE + greedy);
    expect(decision.kind).toBe(DecisionKind.DENY);
    expect(idsOf(decision)).toEqual(['strict']);
  });
});

describe('one gate more', () => {
  const OWNERS = `@id("owners") @gate("approval") @approvers("owner") @quorum("2")
    forbid (principal, action == Action::"tool.execute", resource)
    unless { context.unattended || (context has approval && context.approval.owners >= 2) };`;

  it('does not open one that asks for more than it says', async () => {
    const greedy = GATE.replace('count >= 1', 'owners >= 2');
    expect((await decideBy(PERMIT + greedy + UNATTENDED)).kind).toBe(DecisionKind.DENY);
    const decision = await decideBy(PERMIT + greedy + OWNERS + UNATTENDED);
    expect(decision.kind).toBe(DecisionKind.DENY);
    expect(idsOf(decision)).toEqual(['gate']);
  });

  it('does not lift what forbids a weaker approval', async () => {
    const forbid = `@id("weak") forbid (principal, action == Action::"tool.execute", resource)
      when { context has approval && context.approval.owners < 2 };`;
    expect(idsOf(await decideBy(PERMIT + GATE + forbid))).toEqual(['weak']);
    expect(idsOf(await decideBy(PERMIT + GATE + forbid + OWNERS))).toEqual(['weak']);
  });
});

describe('an approval that was given', () => {
  it('lifts the gate that it suffices for', async () => {
    const request = approvedBy(['user:bo', Role.OPERATOR, 'device']);
    const decision = await decideBy(PERMIT + GATE, request);
    expect(decision.kind).toBe(DecisionKind.ALLOW);
    expect(decision.request).toEqual(request);
  });

  it('of one person twice is not that of two', async () => {
    const two = GATE.replace('count >= 1', 'count >= 2').replace(
      '@gate("approval")',
      '@gate("approval") @quorum("2")',
    );
    const once = approvedBy(
      ['user:bo', Role.OPERATOR, 'device'],
      ['user:bo', Role.OPERATOR, 'device'],
    );
    const decision = await decideBy(PERMIT + two, once);
    expect(decision).toMatchObject({ kind: DecisionKind.DENY, gates: [] });
    expect(idsOf(decision)).toEqual(['gate']);
    const both = approvedBy(
      ['user:bo', Role.OPERATOR, 'device'],
      ['user:cy', Role.OPERATOR, 'device'],
    );
    expect((await decideBy(PERMIT + two, both)).kind).toBe(DecisionKind.ALLOW);
  });

  it('by nobody lifts nothing, and nobody is asked again', async () => {
    const decision = await decideBy(PERMIT + GATE, approvedBy());
    expect(decision).toMatchObject({ kind: DecisionKind.DENY, gates: [] });
  });

  it('does not lift what is no gate', async () => {
    const request = approvedBy(['user:bo', Role.OWNER, 'passkey']);
    expect((await decideBy(PERMIT + FORBID, request)).kind).toBe(DecisionKind.DENY);
  });
});

describe('a call that may go unattended', () => {
  it('passes its gate, and the request that decided says so', async () => {
    const decision = await decideBy(PERMIT + GATE + UNATTENDED);
    expect(decision).toMatchObject({ kind: DecisionKind.ALLOW, gates: [] });
    expect(idsOf(decision)).toEqual(['permit', 'lift']);
    expect(decision.request.context['unattended']).toBe(true);
  });

  it('still needs a rule that allows it', async () => {
    expect((await decideBy(GATE + UNATTENDED)).kind).toBe(DecisionKind.DENY);
  });

  it('is still forbidden what is forbidden', async () => {
    expect((await decideBy(PERMIT + GATE + UNATTENDED + FORBID)).kind).toBe(DecisionKind.DENY);
  });

  it('needs an approval where a gate does not heed it', async () => {
    const stern = GATE.replace('context.unattended ||', '');
    const decision = await decideBy(PERMIT + stern + UNATTENDED);
    expect(decision.kind).toBe(DecisionKind.NEEDS_APPROVAL);
  });

  it('needs an approval when the rule that lifts cannot be evaluated beside another', async () => {
    const broken = BROKEN.replace('tool.execute', 'tool.unattended');
    const decision = await decideBy(PERMIT + GATE + UNATTENDED + broken);
    expect(decision.kind).toBe(DecisionKind.NEEDS_APPROVAL);
  });

  it('is not whatever calls itself so', async () => {
    const request = requestOf();
    const claims = { ...request, context: { ...request.context, unattended: true } };
    const decision = await decideBy(PERMIT + GATE, claims);
    expect(decision.kind).toBe(DecisionKind.NEEDS_APPROVAL);
    expect(decision.request.context['unattended']).toBe(false);
  });
});

it('a request that is no json is denied with the reason', async () => {
  const request = requestOf();
  const context = { ...request.context, bodyBytes: Number.NaN };
  expect(await decideBy(PERMIT, { ...request, context })).toMatchObject({
    kind: DecisionKind.DENY,
    errors: ['a number is not an exact integer'],
  });
});
