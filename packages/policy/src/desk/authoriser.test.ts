import { create } from '@bufbuild/protobuf';
import { permissionsOf } from '@palyra/kernel';
import { Permission, PolicyRequestSchema, PrincipalKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { createDecider } from '../engine/decider.ts';
import { createEngine } from '../engine/engine.ts';
import { inContext } from '../engine/evaluation.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { callOf, requestOf } from '../request/call.fixture.ts';
import { Authoriser } from './authoriser.ts';
import type { Refused } from './refusals.ts';
import { requestMessage } from './request-message.ts';

const RULES = `
@id("operators") @says("Operators use sessions.")
permit (principal in Role::"operator", action == Action::"sessions.use", resource);
@id("status") @says("Everybody sees the status.")
permit (principal, action == Action::"status.read", resource);
@id("not-at-night") @says("Nobody works at night.")
forbid (principal, action == Action::"sessions.use", resource) when { context.time.hour >= 22 };
@id("web") @says("Calls reach the web.")
permit (principal, action == Action::"host.connect", resource);
@id("not-evil") @says("Nobody reaches evil.")
forbid (principal, action == Action::"host.connect", resource) when { resource.under.contains("evil.example") };
@id("public") @says("Nothing private.")
forbid (principal, action == Action::"host.connect", resource) unless { resource.range == Range::"public" };
@id("big-asks") @says("Much is sent.") @gate("approval")
forbid (principal, action in Action::"act", resource) when { context.bodyBytes > 9 }
unless { context.unattended || (context has approval && context.approval.count >= 1) };
@id("not-by-token") @says("No tokens.")
forbid (principal is Token, action, resource);
`;

const ada = {
  principal: 'user:ada',
  actor: 'user:ada via device:d',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  member: { userId: 'ada', name: 'Ada', role: Role.OPERATOR },
  channel: 'cli',
};

async function openAuthoriser() {
  const time = { now: new Date('2026-11-16T21:59:30Z') };
  const decider = createDecider();
  decider.use(await createEngine().load(await ruleSetOf(RULES), 'active'));
  let asked = 0;
  const counting = {
    ...decider,
    decide: (request: Parameters<typeof decider.decide>[0]) => {
      asked += 1;
      return decider.decide(request);
    },
  };
  const refused: Refused[] = [];
  const authoriser = new Authoriser({
    refusals: { note: async (one) => void refused.push(one) },
    rules: { ready: counting, decider: async () => counting },
    clock: { now: () => time.now, sleep: () => Promise.resolve() },
  });
  return { authoriser, time, refused, asked: () => asked };
}

describe('a permission', () => {
  it('is looked up once for a caller and a minute', async () => {
    const { authoriser, asked, time } = await openAuthoriser();
    for (const permission of [Permission.SESSIONS_USE, undefined, Permission.SESSIONS_USE]) {
      await authoriser.authorise(ada, permission);
    }
    expect(asked()).toBe(2);
    time.now = new Date('2026-11-16T21:59:59Z');
    await authoriser.authorise(ada, Permission.SESSIONS_USE);
    expect(asked()).toBe(2);
    await authoriser.authorise({ ...ada }, Permission.SESSIONS_USE);
    expect(asked()).toBe(3);
  });

  it('ends with the minute from which a rule takes it away', async () => {
    const { authoriser, time } = await openAuthoriser();
    await authoriser.authorise(ada, Permission.SESSIONS_USE);
    time.now = new Date('2026-11-16T22:00:00Z');
    await expect(authoriser.authorise(ada, Permission.SESSIONS_USE)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('not-at-night'),
    });
    await authoriser.authorise(ada, undefined);
  });

  it('that no rule gives is refused, and so is what a rule forbids', async () => {
    const { authoriser } = await openAuthoriser();
    await expect(authoriser.authorise(ada, Permission.MEMORY_USE)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const token = { ...ada, principal: 'token:t', kind: PrincipalKind.TOKEN };
    await expect(authoriser.authorise(token, undefined)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('not-by-token'),
    });
  });

  it('is refused to a caller that the rules cannot be asked about', async () => {
    const { authoriser } = await openAuthoriser();
    const nobody = { ...ada, kind: PrincipalKind.UNSPECIFIED };
    await expect(authoriser.authorise(nobody, undefined)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(
      authoriser.authorise({ ...ada, channel: 'telephone' }, undefined),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('a connection', () => {
  const behind = { principal: 'user:ann', actor: 'agent', channel: 'cli', deviceId: 'd' };
  const PUBLIC = { range: 'public', isListed: false };
  const TO = { host: 'site.example', port: 443, leadsTo: [PUBLIC] };
  const asked = requestMessage(requestOf());
  const large = callOf({ bodyBytes: 10 });

  it('is made where the rules allow it, and nothing is noted', async () => {
    const { authoriser, refused } = await openAuthoriser();
    expect(await authoriser.mayConnect({ behind, asked, to: TO })).toBe(true);
    expect(refused).toEqual([]);
  });

  it('that a rule refuses is noted with its host, its rule and what was asked', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const to = { ...TO, host: 'a.evil.example' };
    expect(await authoriser.mayConnect({ behind, asked, to })).toBe(false);
    expect(refused).toMatchObject([
      {
        ...behind,
        action: 'host.connect',
        ruleIds: ['not-evil'],
        asked: {
          action: 'host.connect',
          resource: { type: 'Host', id: 'a.evil.example' },
          context: { run: 'run-1' },
        },
      },
    ]);
  });

  it('is refused when one of the addresses leads where none may', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const leadsTo = [PUBLIC, { range: 'metadata', isListed: false }];
    expect(await authoriser.mayConnect({ behind, asked, to: { ...TO, leadsTo } })).toBe(false);
    expect(refused).toMatchObject([{ ruleIds: ['public'] }]);
  });

  it('of a call that was approved or spared passes the gates that were lifted for the call', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const approvers = [{ principal: 'user:bob', role: Role.OPERATOR, strength: 'device' }] as const;
    const approved = requestMessage(requestOf(large, { approvers }));
    const spared = inContext(requestOf(large), { unattended: true });
    for (const each of [approved, requestMessage(spared)]) {
      expect(await authoriser.mayConnect({ behind, asked: each, to: TO })).toBe(true);
    }
    const neither = requestMessage(requestOf(large));
    expect(await authoriser.mayConnect({ behind, asked: neither, to: TO })).toBe(false);
    expect(refused).toMatchObject([{ ruleIds: ['big-asks'] }]);
  });

  it('is refused when nobody can tell what the call was', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const unknown = create(PolicyRequestSchema, {});
    expect(await authoriser.mayConnect({ behind, asked: unknown, to: TO })).toBe(false);
    expect(refused).toMatchObject([{ action: 'host.connect', ruleIds: [] }]);
  });
});

describe('what is refused', () => {
  it('is noted with who, what, why and under which rules, before it is told', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const token = { ...ada, principal: 'token:t', actor: 'token:t', kind: PrincipalKind.TOKEN };
    await expect(authoriser.authorise(token, Permission.SESSIONS_USE)).rejects.toThrow();
    expect(refused).toMatchObject([
      {
        principal: 'token:t',
        actor: 'token:t',
        channel: 'cli',
        deviceId: '',
        action: 'sessions.use',
        ruleIds: ['not-by-token'],
        reason: expect.stringContaining('not-by-token'),
        policySetHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        asked: { action: 'sessions.use', resource: { type: 'Gateway' } },
      },
    ]);
  });

  it('is noted of the runs of somebody, and of what the doors refuse by themselves', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const matter = { action: 'work.stop', owner: 'user:bob' };
    await expect(authoriser.touch(ada, matter)).rejects.toThrow();
    await authoriser.turnAway(ada, Permission.POLICY_MANAGE, '`user:ada` lacks it');
    expect(refused).toMatchObject([
      { action: 'work.stop', asked: { resource: { type: 'Work', id: 'user:bob' } } },
      { action: 'policy.manage', reason: '`user:ada` lacks it', ruleIds: [] },
    ]);
    expect(refused[1]?.policySetHash).toBe(refused[0]?.policySetHash);
    // Whoever explains it would else offer a rule that changes nothing.
    expect(refused[1]).not.toHaveProperty('asked');
    expect(refused[1]?.help).toContain('`palyra access members role`');
  });

  it('is noted also when the rules could not be asked', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const nobody = { ...ada, kind: PrincipalKind.UNSPECIFIED };
    await expect(authoriser.authorise(nobody, undefined)).rejects.toThrow();
    expect(refused).toMatchObject([{ action: 'status.read', reason: expect.any(String) }]);
    expect(refused[0]).not.toHaveProperty('asked');
  });

  it('is nothing that is only asked, as for a list', async () => {
    const { authoriser, refused } = await openAuthoriser();
    const may = await authoriser.mayTouch(ada, { action: 'work.see', owner: 'everybody' });
    expect(may).toBe(false);
    expect(refused).toEqual([]);
  });
});
