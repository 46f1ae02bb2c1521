import { permissionsOf } from '@palyra/kernel';
import { Permission, PrincipalKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { createDecider } from '../engine/decider.ts';
import { createEngine } from '../engine/engine.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { Authoriser } from './authoriser.ts';
import type { Refused } from './refusals.ts';

const RULES = `
@id("operators") @says("Operators use sessions.")
permit (principal in Role::"operator", action == Action::"sessions.use", resource);
@id("status") @says("Everybody sees the status.")
permit (principal, action == Action::"status.read", resource);
@id("not-at-night") @says("Nobody works at night.")
forbid (principal, action == Action::"sessions.use", resource) when { context.time.hour >= 22 };
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
