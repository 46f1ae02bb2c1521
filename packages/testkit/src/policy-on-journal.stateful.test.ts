import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { DecisionKind, GainKind, Permission, PrincipalKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { talkingModel } from './fakes.ts';
import { inProcessClient } from './in-process-client.ts';
import { ownerCaller } from './owner-caller.ts';
import { type TestGateway, testGateway } from './test-gateway.ts';
import { verifies } from './verifies.ts';

const never = new AbortController().signal;
const call = (tool: string, args: object) =>
  ({ kind: 'tool-call', tool, argumentsJson: JSON.stringify(args) }) as const;
const CALLS = [
  call('fs.read', { path: 'README.md' }),
  call('process.run', { command: 'git', args: ['status'] }),
  call('mail.send', { to: 'everybody' }),
];

const UNATTENDED = `@id("git-status-by-itself")
@says("git status needs no question")
permit (principal, action == Action::"tool.unattended", resource == Tool::"process.run")
when { context has process && context.process.commandLine == "git status" };
`;
const NO_READING = `@id("no-reading")
@says("nothing is read here")
forbid (principal, action == Action::"tool.execute", resource == Tool::"fs.read");
`;

async function opened() {
  const test = await testGateway({ rules: 'ask', model: talkingModel(CALLS) });
  return { test, client: inProcessClient(test.gateway) };
}

async function decisionsOf({ gateway }: TestGateway) {
  const run = await gateway.runs.start({ prompt: 'go' }, ownerCaller());
  const events = await Array.fromAsync(run.events(never));
  const decided = events.flatMap(({ event, entryId }) =>
    event.case === 'toolDecided' ? [{ entryId, ...event.value }] : [],
  );
  // Calls of one turn are decided side by side; here they stand as the model asked for them.
  const asked = events.flatMap(({ event }) =>
    event.case === 'modelMessage' ? event.value.toolCalls.map(({ callId }) => callId) : [],
  );
  return decided.toSorted((a, b) => asked.indexOf(a.callId) - asked.indexOf(b.callId));
}

async function operatorFile({ home }: TestGateway, text: string): Promise<void> {
  const directory = join(home.places.configDir, 'policies');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'team.cedar'), text, { mode: 0o600 });
}

describe('the rules that come with the gateway', () => {
  it('allow, ask and deny, and leave on record what can be explained again', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const decisions = await decisionsOf(test);
    expect(decisions).toMatchObject([
      { kind: DecisionKind.ALLOW, gates: [], policyEngine: 'cedar 4.13.0' },
      { kind: DecisionKind.DENY, reason: 'not asked' },
      { kind: DecisionKind.DENY, gates: [], ruleIds: [] },
    ]);
    expect(decisions[1]?.gates.length).toBeGreaterThan(0);
    expect(decisions[2]?.reason).toContain('no rule allows `mail.send`');
    expect(decisions[2]?.help).toMatch(/`palyra policy explain 01\w+`/);

    const told = [];
    for (const { entryId } of decisions) {
      const { explanation } = await client.policy.explainDecision({
        subject: { case: 'entryId', value: entryId },
      });
      told.push(explanation);
    }
    expect(told.map((each) => each?.kind)).toEqual(decisions.map(({ kind }) => kind));
    expect(told[1]?.reason).toMatch(/^not asked; the rules by themselves: .* wants .* approved/);
    expect(told[1]?.help).not.toContain('it waits for');
  });

  it('are shown, and named by health without anything being loaded', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const { policy } = await client.health.getHealth({});
    const shown = await client.policy.getPolicy({});
    expect(shown).toMatchObject({ mode: 'ask', engine: 'cedar 4.13.0', problems: [] });
    expect(policy).toMatchObject({
      mode: 'ask',
      policySetHash: shown.policySetHash,
      rules: shown.rules.length,
      problems: [],
    });
  });

  it('let every role do over the wire what its permissions say', async () => {
    const { test } = await opened();
    await using _ = test;
    for (const role of [Role.OPERATOR, Role.ADMIN, Role.OWNER]) {
      const caller = ownerCaller(role);
      for (const permission of caller.permissions) {
        await test.gateway.policy.authorise(caller, permission);
      }
      await test.gateway.policy.authorise(caller, undefined);
    }
    await expect(
      test.gateway.policy.authorise(ownerCaller(Role.OPERATOR), Permission.POLICY_MANAGE),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

describe('a rule of the operator', () => {
  it('counts from the reload on, and the decisions of before keep the rules of their day', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const [before] = await decisionsOf(test);
    await operatorFile(test, NO_READING);
    expect(await client.policy.reloadPolicy({})).toMatchObject({ changed: true, problems: [] });
    const [after] = await decisionsOf(test);
    expect(before?.kind).toBe(DecisionKind.ALLOW);
    expect(after).toMatchObject({ kind: DecisionKind.DENY, ruleIds: ['no-reading'] });

    const { explanation } = await client.policy.explainDecision({
      subject: { case: 'entryId', value: before?.entryId ?? '' },
    });
    expect(explanation).toMatchObject({
      kind: DecisionKind.ALLOW,
      policySetHash: before?.policySetHash,
    });
  });

  it('that cannot be taken leaves the old set in force, and says where it is wrong', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const { policySetHash } = await client.policy.getPolicy({});
    await operatorFile(test, 'permit (principal, action, resource);\n');
    const { changed, problems } = await client.policy.reloadPolicy({});
    expect(changed).toBe(false);
    expect(problems[0]).toMatchObject({ file: 'team.cedar', line: 1 });
    const { policy } = await client.health.getHealth({});
    expect(policy).toMatchObject({
      policySetHash,
      problems: [expect.any(String), expect.any(String)],
    });
  });

  it('ends what is open and no longer allowed: the revision changes with the set', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const { desk } = test.gateway.policy;
    const before = desk.revision();
    await client.policy.reloadPolicy({});
    expect(desk.revision()).toBe(before);
    await operatorFile(
      test,
      '@id("no-journal")\n@says("nobody looks at it")\nforbid (principal, action == Action::"observability.read", resource);\n',
    );
    await client.policy.reloadPolicy({});
    expect(desk.revision()).toBeGreaterThan(before);
    const refusal = await client.journal
      .getEntry({ id: '1' })
      .catch((reason: unknown) => PalyraError.from(reason));
    expect(refusal).toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('no-journal'),
    });
  });
});

describe('what a caller is refused', () => {
  const refusalsOf = async ({ journal }: TestGateway) => {
    const entries = await journal.page({ after: 0, limit: 100 });
    return entries.filter(({ kind }) => kind === 'access.refused');
  };

  it(
    'is journaled with the rules of its day, by which it is explained later',
    verifies('access:refused-is-journaled'),
    async () => {
      const { test, client } = await opened();
      await using _ = test;
      await operatorFile(
        test,
        `@id("nobody-reloads") @says("rules are reloaded by nobody")
forbid (principal, action == Action::"policy.manage", resource) when { context.channel == Channel::"api" };\n`,
      );
      await client.policy.reloadPolicy({});
      const { policySetHash } = await client.policy.getPolicy({});
      const overApi = inProcessClient(test.gateway, { ...ownerCaller(), channel: 'api' });
      await expect(overApi.policy.reloadPolicy({})).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await operatorFile(test, '// nothing is forbidden any more\n');
      await client.policy.reloadPolicy({});

      const [entry] = await refusalsOf(test);
      expect(entry?.payload).toMatchObject({
        action: 'policy.manage',
        resource: 'the gateway',
        channel: 'api',
        ruleIds: ['nobody-reloads'],
        policySetHash,
      });
      const { explanation } = await client.policy.explainDecision({
        subject: { case: 'entryId', value: entry?.id ?? '' },
      });
      expect(explanation).toMatchObject({ kind: DecisionKind.DENY, policySetHash });
      expect(explanation?.rules.map(({ id }) => id)).toEqual(['nobody-reloads']);
      expect(explanation?.reason).toBe(entry?.payload['reason']);
    },
  );

  it(
    'for want of a permission is journaled too, and explained without a rule: none would change it',
    verifies('access:refused-is-journaled'),
    async () => {
      const { test, client } = await opened();
      await using _ = test;
      const operator = inProcessClient(test.gateway, ownerCaller(Role.OPERATOR));
      for (let tries = 0; tries < 3; tries += 1) {
        await expect(operator.policy.reloadPolicy({})).rejects.toMatchObject({
          code: 'PERMISSION_DENIED',
          message: expect.stringContaining('lacks the permission `policy.manage`'),
        });
      }
      const [entry, ...more] = await refusalsOf(test);
      expect(more).toEqual([]);
      const { explanation } = await client.policy.explainDecision({
        subject: { case: 'entryId', value: entry?.id ?? '' },
      });
      expect(explanation).toMatchObject({
        reason: expect.stringMatching(/lacks the permission `policy.manage`$/),
        help: expect.stringContaining('`palyra access members role`'),
        smallestRule: '',
      });
    },
  );

  it('is nothing where a list only shows less', async () => {
    const { test } = await opened();
    await using _ = test;
    const token = { principal: 'token:t', actor: 'token:t', kind: PrincipalKind.TOKEN } as const;
    const permissions = new Set([Permission.SESSIONS_USE]);
    const program = { ...ownerCaller(), ...token, permissions, channel: 'api' } as const;
    expect((await inProcessClient(test.gateway, program).runs.listRuns({})).runs).toEqual([]);
    expect(await refusalsOf(test)).toEqual([]);
  });
});

describe('a set that is named by how its hash begins', () => {
  const byHash = (value: string) => ({ candidate: { case: 'policySetHash' as const, value } });

  it('is found over the wire, unless another one begins so too', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const { policySetHash: hash } = await client.policy.getPolicy({});
    const prefix = hash.slice(0, 8);
    expect(await client.policy.getPolicy({ policySetHash: prefix })).toMatchObject({
      policySetHash: hash,
    });
    const sides = { old: byHash(prefix), new: byHash('active') };
    const { difference } = await client.policy.comparePolicies(sides, SLOW);
    expect(difference).toMatchObject({ oldHash: hash, newHash: hash });

    const id = `${prefix}${'0'.repeat(56)}`;
    const writes = [{ table: 'policy_sets', id, expectedVersion: 0, body: {} }];
    const entry = { kind: 'policy.changed', actor: 'gateway', payload: {} } as const;
    await test.journal.records.transact({ writes, entries: [entry] });
    await expect(client.policy.getPolicy({ policySetHash: prefix })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('more than one set of rules begins with'),
    });
  });

  it.each(['0123456', 'ABCDEF01', '0123456g', '0'.repeat(65)])('is not `%s`', async (name) => {
    const { test, client } = await opened();
    await using _ = test;
    await expect(client.policy.getPolicy({ policySetHash: name })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('is not the hash of a set of rules'),
    });
  });
});

describe('a candidate', () => {
  const candidate = (text: string) => ({
    candidate: { case: 'files' as const, value: { files: [{ name: 'team.cedar', text }] } },
  });

  it('that allows more is refused until that is meant, and is in force then', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const wider = candidate(UNATTENDED);
    await expect(client.policy.applyPolicy({ candidate: wider }, SLOW)).rejects.toMatchObject({
      code: 'POLICY_WIDENED',
    });
    const { difference, policySetHash } = await client.policy.applyPolicy(
      { candidate: wider, iMeanIt: true },
      SLOW,
    );
    expect(difference?.gains.map(({ kind }) => kind)).toContain(GainKind.GATE_REMOVED);
    expect(await client.policy.getPolicy({})).toMatchObject({ policySetHash });
    const [, second] = await decisionsOf(test);
    expect(second?.kind).toBe(DecisionKind.ALLOW);
  });

  it('that allows less is taken as it is', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const stricter = { candidate: candidate(NO_READING) };
    const { difference } = await client.policy.applyPolicy(stricter, SLOW);
    expect(difference?.gains).toEqual([]);
    expect(difference?.addedRules).toEqual(['no-reading']);
  });

  it('that was in force before is so again, by its hash', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const byHash = (value: string) => ({ candidate: { case: 'policySetHash' as const, value } });
    const { policySetHash: first } = await client.policy.getPolicy({});
    const stricter = { candidate: candidate(NO_READING) };
    const { policySetHash: second } = await client.policy.applyPolicy(stricter, SLOW);
    const back = { candidate: byHash(first) };
    await expect(client.policy.applyPolicy(back, SLOW)).rejects.toMatchObject({
      code: 'POLICY_WIDENED',
    });
    const undone = await client.policy.applyPolicy({ ...back, iMeanIt: true }, SLOW);
    expect(undone).toMatchObject({ policySetHash: first, difference: { oldHash: second } });
    const again = await client.policy.applyPolicy({ candidate: byHash(second) }, SLOW);
    expect(again.policySetHash).toBe(second);
    expect((await decisionsOf(test))[0]).toMatchObject({ ruleIds: ['no-reading'] });
    const same = await client.policy.applyPolicy({ candidate: byHash('active') }, SLOW);
    expect(same).toMatchObject({ policySetHash: second, difference: { gains: [] } });
    await expect(client.policy.applyPolicy({}, SLOW)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('is tried with the calls of the journal, and as a shadow with those that come', async () => {
    const { test, client } = await opened();
    await using _ = test;
    await decisionsOf(test);
    const tried = await Array.fromAsync(
      client.policy.backtestPolicy({ candidate: candidate(NO_READING) }),
    );
    expect(tried.at(-1)?.report).toMatchObject({ calls: 3n, narrowed: 1n, widened: 0n });

    const shadow = await client.policy.startShadow({ candidate: candidate(UNATTENDED) });
    const { candidateHash } = shadow;
    expect(shadow.replacedHash).toBe('');
    expect(await client.policy.getPolicy({})).toMatchObject({ shadowHash: candidateHash });
    const again = await client.policy.startShadow({ candidate: candidate(UNATTENDED) });
    expect(again).toMatchObject({ candidateHash, replacedHash: candidateHash });
    expect((await client.policy.getShadowReport({}, SLOW)).report).toMatchObject({ calls: 0n });
    await decisionsOf(test);
    const { report } = await client.policy.stopShadow({}, SLOW);
    expect(report).toMatchObject({ candidateHash, calls: 3n, widened: 1n });
    expect(await client.policy.getPolicy({})).toMatchObject({ shadowHash: '' });
  });

  it('is refused when it is no set, or is none that is known', async () => {
    const { test, client } = await opened();
    await using _ = test;
    const wrong = candidate('permit (principal, action, resource');
    await expect(client.policy.startShadow({ candidate: wrong })).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
    const files = [{ name: '../team.cedar', text: NO_READING }];
    const elsewhere = { candidate: { case: 'files', value: { files } } as const };
    await expect(client.policy.applyPolicy({ candidate: elsewhere }, SLOW)).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
    const unknown = { candidate: { case: 'policySetHash', value: 'f'.repeat(64) } as const };
    await expect(client.policy.startShadow({ candidate: unknown })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const malformed = { candidate: { case: 'policySetHash', value: '../x' } as const };
    await expect(client.policy.startShadow({ candidate: malformed })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

/** Threads take a moment on a machine that has much else to do. */
const SLOW = { timeoutMs: 60_000 };
