import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { type JsonObject, PalyraError } from '@palyra/kernel';
import {
  BacktestProgressSchema,
  Capability,
  DecisionKind,
  ExplainDecisionRequestSchema,
  GainKind,
  HypotheticalCallSchema,
  PolicyCandidateSchema,
  PolicyDifferenceSchema,
  PolicyExplanationSchema,
  PrincipalKind,
  Risk,
  Role,
  type ToolDecision,
} from '@palyra/protocol';
import {
  deskWithoutRules,
  ownerCaller,
  policyThatSays,
  talkingModel,
  testGateway,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { CataloguePort, JudgedCall } from '../ports.ts';
import type { Asking, ImaginedConnection, OperatorChange, PolicyDesk } from './ports.ts';

const never = new AbortController().signal;
const asker = { caller: ownerCaller(), signal: never };
const EXPLANATION = create(PolicyExplanationSchema, { reason: 'because' });

/** A desk that remembers what it was asked. */
interface Foreseen {
  readonly call: JudgedCall;
  readonly facts: JsonObject;
  readonly connection: ImaginedConnection | undefined;
}

function recordingDesk(chosen: Partial<PolicyDesk> = {}) {
  const explained: ToolDecision[] = [];
  const foreseen: Foreseen[] = [];
  const applied: (OperatorChange & { readonly actor: string })[] = [];
  const read: { readonly total: number; readonly ids: string[] } = { total: 0, ids: [] };
  const desk: PolicyDesk = {
    ...deskWithoutRules(),
    explain: async (decision) => {
      explained.push(decision);
      return EXPLANATION;
    },
    foresee: async (call, facts, connection) => {
      foreseen.push({ call, facts, connection });
      return EXPLANATION;
    },
    apply: async (change, actor) => {
      applied.push({ ...change, actor });
      return 'new-hash';
    },
    async *backtest(_candidate, journal, { signal }) {
      for await (const { decisions } of journal.read(signal)) {
        read.ids.push(...decisions.map(({ id }) => id));
      }
      yield create(BacktestProgressSchema, { read: BigInt(journal.total) });
      yield create(BacktestProgressSchema, { report: { calls: BigInt(read.ids.length) } });
    },
    ...chosen,
  };
  return { desk, explained, foreseen, applied, read };
}

const catalogue: CataloguePort = {
  offered: () => [],
  find: (tool) =>
    tool === 'fs.read'
      ? {
          name: tool,
          capabilities: [Capability.FILESYSTEM_READ],
          risk: Risk.LOW,
          effects: 'reads',
          source: 'built-in',
          understand: ({ path }) =>
            typeof path === 'string'
              ? {
                  kind: 'understood',
                  arguments: { path },
                  facts: {
                    $typeName: 'palyra.v1.CallFacts',
                    reads: [path],
                    writes: [],
                    hosts: [],
                    secrets: [],
                    argumentBytes: 1,
                    argumentsSha256: '',
                    readsBelow: false,
                    bodyBytes: 0,
                  },
                }
              : { kind: 'not-understood', reason: 'no path', help: 'give one' },
        }
      : undefined,
};

const model = () =>
  talkingModel([
    { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"path":"a"}' },
    { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"path":"b"}' },
  ]);

async function withRun() {
  const recorded = recordingDesk();
  const policy = policyThatSays({ reason: 'first' }, { reason: 'second' });
  const test = await testGateway({ model: model(), catalogue, policy, policyDesk: recorded.desk });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ownerCaller());
  await Array.fromAsync(run.events(never));
  const entries = await test.journal.page({ after: 0, limit: 100 });
  return { ...recorded, test, entries, policy: test.gateway.policy };
}

const byEntry = (id: string) =>
  create(ExplainDecisionRequestSchema, { subject: { case: 'entryId', value: id } });

describe('why a call was decided so', () => {
  it.each(['tool.proposed', 'tool.decided', 'tool.finished', 'tool.attested'])(
    'is asked by the id of its %s entry',
    async (kind) => {
      const { test, policy, entries, explained } = await withRun();
      await using _ = test;
      const entry = entries.findLast((each) => each.kind === kind);
      const answer = await policy.explain(byEntry(entry?.id ?? ''), ownerCaller());
      expect(answer).toBe(EXPLANATION);
      expect(explained).toMatchObject([{ kind: DecisionKind.DENY, reason: 'second' }]);
    },
  );

  it('is asked by a sequence number too', async () => {
    const { test, policy, entries, explained } = await withRun();
    await using _ = test;
    const entry = entries.find(({ kind }) => kind === 'tool.decided');
    await policy.explain(byEntry(String(entry?.sequence)), ownerCaller());
    expect(explained).toMatchObject([{ reason: 'first' }]);
  });

  it('has no answer for an entry that is about no call', async () => {
    const { test, policy, entries } = await withRun();
    await using _ = test;
    await expect(
      policy.explain(byEntry(entries[0]?.id ?? ''), ownerCaller()),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

async function foresee(call: MessageInitShape<typeof HypotheticalCallSchema>) {
  const { desk, foreseen } = recordingDesk();
  await using test = await testGateway({ policyDesk: desk, catalogue });
  const request = create(ExplainDecisionRequestSchema, {
    subject: { case: 'call', value: create(HypotheticalCallSchema, call) },
  });
  await test.gateway.policy.explain(request, ownerCaller());
  return foreseen[0];
}

describe('a call that nobody made', () => {
  it('is read by its tool as a real one is, for whoever asks', async () => {
    const foreseen = await foresee({
      tool: 'fs.read',
      arguments: { path: 'a' },
      facts: { tier: 'C' },
    });
    expect(foreseen).toMatchObject({
      facts: { tier: 'C' },
      call: {
        source: 'built-in',
        channel: 'cli',
        standing: { principal: ownerCaller().principal, role: Role.OWNER },
        proposal: { tool: 'fs.read', risk: Risk.LOW, facts: { reads: ['a'] } },
      },
    });
  });

  it('is judged in the folder that is named, where runs may work in it', async () => {
    const inHome = await foresee({ tool: 'fs.read', arguments: { path: 'a' } });
    expect(inHome?.call.proposal.workspace).toBe('/workspace');
    const named = { tool: 'fs.read', arguments: { path: 'a' }, workspace: '/workspace' };
    expect((await foresee(named))?.call.proposal.workspace).toBe('/workspace');
    await expect(foresee({ ...named, workspace: '/elsewhere' })).rejects.toMatchObject({
      code: 'SANDBOX_SCOPE_DENIED',
    });
  });

  it('is judged with the connection that it would make', async () => {
    const call = { tool: 'fs.read', arguments: { path: 'a' } };
    const foreseen = await foresee({ ...call, connection: { host: 'a.example', port: 80 } });
    expect(foreseen?.connection).toMatchObject({ host: 'a.example', port: 80 });
    expect((await foresee(call))?.connection).toBeUndefined();
  });

  it('is judged for a member by name', async () => {
    const { desk, foreseen } = recordingDesk();
    await using test = await testGateway({ policyDesk: desk, catalogue });
    const [owner] = await test.gateway.identity.members.list();
    const request = create(ExplainDecisionRequestSchema, {
      subject: { case: 'call', value: { principal: `user:${owner?.name}`, tool: 'x.y' } },
    });
    await test.gateway.policy.explain(request, ownerCaller());
    const standing = { principal: `user:${owner?.userId}`, role: Role.OWNER };
    expect(foreseen[0]?.call).toMatchObject({ source: '', standing });
  });

  it('is judged for somebody who is no member, without a role, and says so', async () => {
    const offered = create(PolicyExplanationSchema, {
      reason: 'no rule allows it',
      missing: ['a role'],
      smallestRule: 'permit (principal == User::"x", action, resource);',
      smallestRuleEffect: 'allows it',
    });
    const asked: JudgedCall[] = [];
    const { desk } = recordingDesk({
      foresee: async (call) => {
        asked.push(call);
        return offered;
      },
    });
    await using test = await testGateway({ policyDesk: desk, catalogue });
    const members = await test.gateway.identity.members.list();
    const request = create(ExplainDecisionRequestSchema, {
      subject: { case: 'call', value: { principal: 'user:x', tool: 'x.y' } },
    });
    const told = await test.gateway.policy.explain(request, ownerCaller());
    expect(asked[0]?.standing).toMatchObject({ principal: 'user:x', role: Role.UNSPECIFIED });
    expect(told).toMatchObject({
      reason: 'no rule allows it',
      missing: ['`x` is no member of this gateway, and so has no role', 'a role'],
      smallestRule: '',
      smallestRuleEffect: '',
    });
    expect(await test.gateway.identity.members.list()).toEqual(members);
  });

  it('is judged for an agent without any role', async () => {
    const { call } = (await foresee({ principal: 'agent:palyra', tool: 'x.y' })) ?? {};
    expect(call?.standing).toMatchObject({ kind: PrincipalKind.AGENT, role: Role.UNSPECIFIED });
  });

  it.each([
    ['user:', 'INVALID_INPUT'],
    ['agent:palrya', 'NOT_FOUND'],
    ['somebody', 'INVALID_INPUT'],
  ])('is refused for `%s`', async (principal, code) => {
    await expect(foresee({ principal, tool: 'x.y' })).rejects.toMatchObject({ code });
  });

  it('is refused when its tool does not understand it', async () => {
    await expect(foresee({ tool: 'fs.read' })).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS_INVALID',
    });
  });
});

describe('what decisions are tried with again', () => {
  const candidate = create(PolicyCandidateSchema);

  it('is every decision of the journal, or those since a moment', async () => {
    const { test, policy, entries, read } = await withRun();
    await using _ = test;
    const decided = entries.filter(({ kind }) => kind === 'tool.decided').map(({ id }) => id);
    expect(decided).toHaveLength(2);
    await Array.fromAsync(policy.backtest(candidate, undefined, asker));
    expect(read.ids.splice(0)).toEqual(decided);
    await Array.fromAsync(policy.backtest(candidate, new Date('2200-01-01'), asker));
    expect(read.ids).toEqual([]);
  });

  it('is for a shadow what came since it was started', async () => {
    const shadow = { policySetHash: 'h', startedAt: new Date('2200-01-01') };
    const recorded = recordingDesk({ shadow: async () => shadow, stopShadow: async () => shadow });
    await using test = await testGateway({ policyDesk: recorded.desk });
    const { policy } = test.gateway;
    expect(await policy.shadowReport(asker)).toMatchObject({ ...shadow, report: { calls: 0n } });
    expect(await policy.stopShadow(asker)).toMatchObject({ report: { calls: 0n } });
  });

  it('has no shadow to report on unless one was started', async () => {
    await using test = await testGateway({ policyDesk: recordingDesk().desk });
    await expect(test.gateway.policy.shadowReport(asker)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('files that become the rules of the operator', () => {
  const candidate = create(PolicyCandidateSchema, {
    candidate: { case: 'files', value: { files: [{ name: 'team.cedar', text: '' }] } },
  });
  const widened = create(PolicyDifferenceSchema, {
    oldHash: 'old',
    gains: [{ kind: GainKind.TOOL, what: 'process.run' }],
  });

  async function apply(difference: typeof widened, iMeanIt: boolean) {
    const asked: Asking[] = [];
    const recorded = recordingDesk({
      rehearse: async (_candidate, asking) => {
        asked.push(asking);
        return difference;
      },
    });
    await using test = await testGateway({ policyDesk: recorded.desk });
    const applying = test.gateway.policy.apply({ candidate, iMeanIt }, asker);
    return {
      ...recorded,
      asked,
      answer: await applying.catch((reason: unknown) => PalyraError.from(reason)),
    };
  }

  it('are refused when somebody gains by them and that is not said to be meant', async () => {
    const { applied, answer } = await apply(widened, false);
    expect(answer).toMatchObject({ code: 'POLICY_WIDENED' });
    expect(applied).toEqual([]);
  });

  it.each([
    ['that is meant', widened, true],
    ['nobody gains', create(PolicyDifferenceSchema, { oldHash: 'old' }), false],
  ])('are taken when %s, over the set that they were compared with', async (_, change, meant) => {
    const { applied, answer } = await apply(change, meant);
    expect(answer).toMatchObject({ policySetHash: 'new-hash', difference: change });
    expect(applied).toEqual([{ candidate, over: 'old', actor: ownerCaller().actor }]);
  });

  it('are taken when that is meant although comparing takes too long, and not otherwise', async () => {
    const recorded = recordingDesk({
      rehearse: () => Promise.reject(new PalyraError('OVERLOADED', 'it took longer than 60 s')),
    });
    await using test = await testGateway({ policyDesk: recorded.desk });
    const { policy } = test.gateway;
    await expect(policy.apply({ candidate, iMeanIt: false }, asker)).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    expect(recorded.applied).toEqual([]);
    const answer = await policy.apply({ candidate, iMeanIt: true }, asker);
    expect(answer.policySetHash).toBe('new-hash');
    expect(answer.difference).toBeUndefined();
    const over = recorded.desk.health().policySetHash;
    expect(recorded.applied).toMatchObject([{ candidate, over }]);
  });

  it('are compared for the person behind whoever asks', async () => {
    const { asked } = await apply(widened, true);
    expect(asked).toEqual([{ whose: `user:${ownerCaller().member?.userId}`, signal: never }]);
  });
});
