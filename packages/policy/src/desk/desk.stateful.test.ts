import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { systemClock } from '@palyra/kernel';
import {
  CallFactsSchema,
  DecisionKind,
  PolicyCandidateSchema,
  PrincipalKind,
  Risk,
  Role,
  ToolDecisionSchema,
} from '@palyra/protocol';
import { quietLog, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { type JournalDecisions, createPolicy } from '../policy.ts';
import { LayerDirectories } from '../sets/directory.fixture.ts';
import { JobSlots } from './job-slots.ts';
import { replay } from './replay.ts';

const ACTIVE = create(PolicyCandidateSchema, {
  candidate: { case: 'policySetHash', value: 'active' },
});
const NO_READING = create(PolicyCandidateSchema, {
  candidate: {
    case: 'files',
    value: {
      files: [
        {
          name: 'team.cedar',
          text: '@id("no-reading") @says("x") forbid (principal, action == Action::"tool.execute", resource == Tool::"fs.read");',
        },
      ],
    },
  },
});
const TOOLS = ['fs.read', 'fs.write', 'process.run'].map((name) => ({
  name,
  capabilities: [],
  risk: Risk.LOW,
  source: 'built-in',
  understand: () => ({ kind: 'understood' as const, facts: create(CallFactsSchema) }),
}));

/** A journal without an end. */
const ENDLESS: JournalDecisions = {
  total: 1,
  async *read() {
    for (;;) {
      yield { entries: 1, decisions: [{ id: 'x', canonical: new TextEncoder().encode('{}') }] };
    }
  },
};

const askedBy = (whose: string, signal = new AbortController().signal) => ({ whose, signal });

async function house() {
  const gateway = await testGateway();
  const layers = new LayerDirectories();
  const policy = createPolicy({
    records: gateway.journal.records,
    journal: gateway.journal,
    clock: systemClock(),
    log: quietLog(),
    mode: 'ask',
    dirs: layers.dirs,
    own: { workspace: layers.at('work'), folders: [] },
    tools: TOOLS,
  });
  await policy.start();
  return {
    policy,
    layers,
    async [Symbol.asyncDispose]() {
      await policy[Symbol.asyncDispose]();
      layers[Symbol.dispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

describe('many who try rules and do not read the answers', () => {
  it('keep nobody from applying, nor from comparing', async () => {
    await using at = await house();
    const { desk } = at.policy;
    const open = ['ann', 'bob'].map((name) => {
      return desk.backtest(ACTIVE, ENDLESS, askedBy(name))[Symbol.asyncIterator]();
    });
    for (const reader of open) await reader.next();
    const third = desk.backtest(ACTIVE, ENDLESS, askedBy('eve'))[Symbol.asyncIterator]();
    await expect(third.next()).rejects.toMatchObject({ code: 'OVERLOADED' });
    const difference = await desk.compare(ACTIVE, NO_READING, askedBy('ann'));
    expect(difference.addedRules).toEqual(['no-reading']);
    const { oldHash: over } = await desk.rehearse(NO_READING, askedBy('owner'));
    await desk.apply({ candidate: NO_READING, over }, 'user:owner');
    for (const reader of open) await reader.return?.();
  });

  it('have a slot each, and lose it when they read no more', async () => {
    const set = await ruleSetOf('@id("all") permit (principal, action, resource);');
    const slots = new JobSlots();
    const parts = { desk: { setOf: async () => set }, slots, readLimitMs: 1 };
    const watched = Promise.withResolvers<AbortSignal>();
    const journal: JournalDecisions = {
      ...ENDLESS,
      read: (signal) => {
        watched.resolve(signal);
        return ENDLESS.read(signal);
      },
    };
    const reader = replay({ candidate: ACTIVE, journal }, parts, askedBy('ann'));
    await reader.next();
    const signal = await watched.promise;
    if (!signal.aborted) await once(signal, 'abort');
    slots.take('backtest', 'ann')[Symbol.dispose]();
    await expect(reader.next()).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('end a comparison when they are gone', async () => {
    await using at = await house();
    const gone = AbortSignal.abort(new Error('gone'));
    const asked = at.policy.desk.compare(ACTIVE, NO_READING, askedBy('ann', gone));
    await expect(asked).rejects.toThrow('gone');
    await at.policy.desk.compare(ACTIVE, ACTIVE, askedBy('ann'));
  });
});

describe('many who ask for explanations', () => {
  const call = {
    proposal: {
      runId: 'run',
      sessionId: 'session',
      tool: 'fs.read',
      capabilities: [],
      risk: Risk.LOW,
      facts: create(CallFactsSchema, { reads: ['a'] }),
    },
    source: 'built-in',
    standing: {
      principal: 'user:ann',
      kind: PrincipalKind.USER,
      member: 'user:ann',
      name: 'Ann',
      role: Role.OPERATOR,
      scopes: [],
    },
    channel: 'cli',
    deviceId: '',
  };

  it('get them one after the other, and beyond eight that wait none', async () => {
    await using at = await house();
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, () => at.policy.desk.foresee(call, {})),
    );
    const told = asked.filter(({ status }) => status === 'fulfilled');
    expect(told).toHaveLength(9);
    expect(asked.at(-1)).toMatchObject({ reason: { code: 'OVERLOADED' } });
    expect(await at.policy.desk.foresee(call, {})).toMatchObject({ kind: DecisionKind.ALLOW });
  });

  it('are told that a tool is not there, and which they may have meant', async () => {
    await using at = await house();
    const proposal = { ...call.proposal, tool: 'fs.raed' };
    const { reason, help } = await at.policy.desk.foresee({ ...call, proposal, source: '' }, {});
    expect(reason).toContain('there is no such tool');
    expect(help).toMatch(/^did you mean `fs\.read`\? /);
  });

  it('are told of a connection that a call would make, once the call itself is allowed', async () => {
    await using at = await house();
    const hosts = [{ name: 'a.example', port: 443, range: 'name' }];
    const facts = create(CallFactsSchema, { hosts });
    const proposal = { ...call.proposal, tool: 'http.fetch', facts };
    const fetch = { ...call, proposal };
    const to = (host: string) => ({ host, port: 443 });
    const told = async (...asked: Parameters<typeof at.policy.desk.foresee>) => {
      const { kind, rules, request } = await at.policy.desk.foresee(...asked);
      return { kind, rules: rules.map(({ id }) => id), action: request?.action };
    };
    const action = 'host.connect';
    const named = { kind: DecisionKind.ALLOW, rules: ['calls-reach-whom-they-name'], action };
    expect(await told(fetch, {}, to('a.example'))).toEqual(named);
    expect(await told(fetch, {}, to('b.example'))).toEqual({
      kind: DecisionKind.DENY,
      rules: [],
      action,
    });
    expect(await told(fetch, { range: 'metadata' }, to('a.example'))).toEqual({
      kind: DecisionKind.DENY,
      rules: ['connections-to-private-addresses-are-not-made'],
      action,
    });
    expect(await told({ ...fetch, channel: 'api' }, {}, to('a.example'))).toMatchObject({
      kind: DecisionKind.DENY,
      action: 'tool.execute',
    });
    const invalid = { code: 'INVALID_INPUT' };
    await expect(told(fetch, { range: 'metadata' })).rejects.toMatchObject(invalid);
    await expect(told(fetch, { range: 'nowhere' }, to('a.example'))).rejects.toMatchObject(invalid);
    await expect(told(fetch, {}, to('A.example'))).rejects.toMatchObject(invalid);
  });

  it('leave turns to everybody else', async () => {
    await using at = await house();
    await at.policy.desk.foresee(call, {});
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    await at.policy.desk.foresee({ ...call, channel: 'api' }, {});
    clearImmediate(next);
    expect(turns).toBeGreaterThan(2);
  });
});

describe('a set by how its hash begins', () => {
  const byHash = (value: string) =>
    create(PolicyCandidateSchema, { candidate: { case: 'policySetHash', value } });

  it('is found wherever a set is named, from eight characters on', async () => {
    await using at = await house();
    const { desk } = at.policy;
    const { policySetHash: first } = await desk.show('');
    const { oldHash: over } = await desk.rehearse(NO_READING, askedBy('owner'));
    const second = await desk.apply({ candidate: NO_READING, over }, 'user:owner');
    expect(await desk.show(first.slice(0, 8))).toMatchObject({ policySetHash: first });
    expect(await desk.show(second.slice(0, 63))).toMatchObject({ policySetHash: second });
    const compared = desk.compare(byHash(first.slice(0, 9)), ACTIVE, askedBy('ann'));
    expect(await compared).toMatchObject({ oldHash: first, newHash: second });
    const back = byHash(first.slice(0, 8));
    await desk.rehearse(back, askedBy('owner'));
    expect(await desk.apply({ candidate: back, over: second }, 'user:owner')).toBe(first);
  });

  it('is not found by less, by what is no hash, or by a beginning that none has', async () => {
    await using at = await house();
    const { desk } = at.policy;
    const { policySetHash: hash } = await desk.show('');
    const others = [
      hash.slice(0, 7),
      hash.slice(0, 8).toUpperCase(),
      `${hash.slice(0, 8)}%`,
      hash.slice(1, 20),
    ];
    for (const name of others) {
      await expect(desk.show(name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('a decision that the rules had no part in', () => {
  it('is explained by what it says itself', async () => {
    await using at = await house();
    const decision = create(ToolDecisionSchema, {
      kind: DecisionKind.DENY,
      reason: 'the arguments of `fs.read` make no sense',
      help: 'give a path',
      policySetHash: 'a'.repeat(64),
    });
    expect(await at.policy.desk.explain(decision)).toMatchObject({
      kind: DecisionKind.DENY,
      reason: 'the arguments of `fs.read` make no sense',
      help: 'give a path',
      missing: ['the call never reached the rules: its arguments are not sound'],
      smallestRule: '',
    });
  });
});
