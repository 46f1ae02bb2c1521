import { create, fromJson } from '@bufbuild/protobuf';
import { type Log, PalyraError, sha256Hex } from '@palyra/kernel';
import {
  DecisionKind,
  ErrorCode,
  Executor,
  PolicyGateSchema,
  PolicyRequestSchema,
  PrincipalKind,
  Role,
  ToolAttestationSchema,
  ToolOutcome,
} from '@palyra/protocol';
import {
  approverThatSays,
  policyThatSays,
  rememberingSandbox,
  testGateway,
  verifies,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { GatewayParts } from '../parts.ts';
import type { GrantedApproval, JudgedCall, Judgement } from '../ports.ts';
import { DayShare } from '../run/budget/day-share.ts';
import { RunBudget } from '../run/budget/run-budget.ts';
import { NOTHING_SPENT } from '../run/budget/spending.ts';
import { RunStream } from '../run/run-stream.ts';
import type { TaintLabel } from '../run/taint.ts';
import { publishFrom } from './7-stream.ts';
import { callTool } from './tool-call.ts';

const call = { callId: 'call-1', tool: 'process.run', argumentsJson: '{"command":"ls"}' };
const needsApproval = { kind: DecisionKind.NEEDS_APPROVAL, reason: 'a gate asked' };
const granted = {
  kind: 'granted',
  approvalId: 'approval-1',
  approvers: [{ principal: 'user:bob', role: Role.ADMIN, strength: 'device' }],
} as const;
const allow = { kind: DecisionKind.ALLOW, reason: 'a rule allows it' };

async function calling(
  chosen: Partial<GatewayParts>,
  signal = new AbortController().signal,
  asked = call,
) {
  await using test = await testGateway(chosen);
  const { ids } = test.parts;
  const run = {
    runId: ids.next<'run'>(),
    sessionId: ids.next<'session'>(),
    principal: 'user:ada',
    channel: 'console',
    deviceId: 'laptop',
    model: 'talking',
    workspace: '/workspace',
  };
  const stream = new RunStream(run.runId, 100);
  using watcher = stream.subscribe();
  using _published = publishFrom(test.journal, () => stream);
  const budget = new RunBudget(new DayShare(run, test.parts.budgets), NOTHING_SPENT, test.parts);
  const context = { parts: test.parts, run, stream, budget, taint: new Set<TaintLabel>() };
  const result = await callTool(asked, context, signal);
  stream.end();
  const events = await Array.fromAsync(watcher.events(new AbortController().signal));
  const entries = await test.journal.page({ after: 0, limit: 100, runId: run.runId });
  const last = entries.at(-1)?.payload ?? {};
  return {
    result,
    kinds: entries.map(({ kind }) => kind),
    decision: entries.find(({ kind }) => kind === 'tool.decided')?.payload,
    proposedId: entries.find(({ kind }) => kind === 'tool.proposed')?.id,
    log: logOf(test.parts.log),
    cases: events.map(({ event }) => event.case),
    sequences: events.map(({ sequence }) => Number(sequence)),
    attestation: fromJson(ToolAttestationSchema, last),
  };
}

function logOf(log: Log): readonly string[] {
  return 'lines' in log && Array.isArray(log.lines) ? log.lines.map(({ message }) => message) : [];
}

describe('a tool call', () => {
  it(
    'that policy denies leaves decision, result and attestation, and never reaches a sandbox',
    verifies('pipeline:refused-calls-are-evidence', 'pipeline:deny-by-default'),
    async () => {
      const sandbox = rememberingSandbox();
      const { result, kinds, attestation } = await calling({ sandbox });
      expect(sandbox.requests).toEqual([]);
      expect(kinds).toEqual(['tool.proposed', 'tool.decided', 'tool.finished', 'tool.attested']);
      expect(result.outcome).toBe(ToolOutcome.REFUSED);
      expect(result.error?.code).toBe(ErrorCode.POLICY_DENIED);
      expect(attestation.decision).toBe(DecisionKind.DENY);
      expect(attestation.executor).toBe(Executor.NONE);
      expect(attestation.executionSha256).toBe(sha256Hex(new Uint8Array()));
    },
  );

  it('streams each stage in order, each only with its journal sequence', async () => {
    const { cases, sequences } = await calling({});
    expect(cases).toEqual(['toolProposed', 'toolDecided', 'toolFinished', 'toolAttested']);
    // What it may use of the day is reserved before: two entries, of no run.
    expect(sequences).toEqual([3, 4, 5, 6]);
  });

  it('that policy allows runs exactly the judged arguments, its start on record first', async () => {
    const sandbox = rememberingSandbox('hello');
    const { result, kinds, attestation } = await calling({
      sandbox,
      policy: policyThatSays(allow),
    });
    expect(sandbox.requests).toMatchObject([{ tool: 'process.run', arguments: { command: 'ls' } }]);
    expect(kinds).toEqual([
      'tool.proposed',
      'tool.decided',
      'tool.started',
      'tool.finished',
      'tool.attested',
    ]);
    expect(result.output).toBe('hello');
    expect(attestation.executionSha256).toBe(sha256Hex(new TextEncoder().encode('hello')));
  });

  it('that a person approves is judged again, and a policy that still says no wins', async () => {
    const sandbox = rememberingSandbox();
    const approvals = approverThatSays(granted);
    const policy = policyThatSays(needsApproval, needsApproval);
    const { result, attestation } = await calling({ sandbox, approvals, policy });
    expect(sandbox.requests).toEqual([]);
    expect(result.outcome).toBe(ToolOutcome.REFUSED);
    expect(attestation.approvalId).toBe('approval-1');
  });

  it('that a person approves runs once policy accepts the approval', async () => {
    const sandbox = rememberingSandbox();
    const approvals = approverThatSays(granted);
    const { attestation } = await calling({
      sandbox,
      approvals,
      policy: policyThatSays(needsApproval, allow),
    });
    expect(sandbox.requests).toHaveLength(1);
    expect(attestation.approvalId).toBe('approval-1');
    expect(attestation.decision).toBe(DecisionKind.ALLOW);
  });

  it(
    'is judged with whoever stands behind it now, both times, and with the approvers',
    verifies('policy:standing-now'),
    async () => {
      const roles = [Role.OWNER, Role.UNSPECIFIED];
      const judged: unknown[] = [];
      const says = policyThatSays(needsApproval);
      const policy = {
        ...says,
        judge: async (asked: JudgedCall, approval?: GrantedApproval) => {
          judged.push({ ...asked, proposal: asked.proposal.tool, approval });
          return await says.judge(asked);
        },
      };
      await using test = await testGateway();
      const { identity } = test.parts;
      const standing = async (principal: string, deviceId: string) => ({
        principal: `${principal} via ${deviceId}`,
        kind: PrincipalKind.USER,
        member: principal,
        name: 'ada',
        role: roles.shift() ?? Role.UNSPECIFIED,
        scopes: [],
      });
      await calling({
        policy,
        approvals: approverThatSays(granted),
        identity: { ...identity, access: { ...identity.access, standing } },
      });
      const behind = {
        proposal: 'process.run',
        source: '',
        channel: 'console',
        deviceId: 'laptop',
      };
      expect(judged).toEqual([
        expect.objectContaining({ ...behind, approval: undefined }),
        expect.objectContaining({ ...behind, approval: undefined }),
        expect.objectContaining({ ...behind, approval: granted }),
      ]);
      expect(judged).toMatchObject([
        { standing: { principal: 'user:ada via laptop', role: Role.OWNER } },
        { standing: { role: Role.UNSPECIFIED } },
        { standing: { role: Role.UNSPECIFIED } },
      ]);
    },
  );

  it(
    'asks again when another rule wants a person by the time somebody has said yes',
    verifies('approvals:yes-counts-for-what-was-asked'),
    async () => {
      const gateOf = (ruleId: string) => create(PolicyGateSchema, { ruleId, says: ruleId });
      const [first, second] = [gateOf('first'), gateOf('second')];
      const questions: string[][] = [];
      const judge = async (_asked: JudgedCall, approval?: GrantedApproval): Promise<Judgement> => {
        const gates = questions.length === 0 ? [first] : [first, second];
        const rest = { help: '', ruleIds: [], policySetHash: 'set', engine: 'test' };
        return approval === undefined
          ? { kind: DecisionKind.NEEDS_APPROVAL, reason: 'a gate asked', gates, ...rest }
          : { ...allow, gates: [], ...rest };
      };
      const { decision, result } = await calling({
        policy: { ...policyThatSays(allow), judge },
        approvals: {
          ...approverThatSays(granted),
          ask: async ({ gates }) => {
            questions.push(gates.map(({ ruleId }) => ruleId));
            return granted;
          },
        },
      });
      expect(questions).toEqual([['first'], ['first', 'second']]);
      expect(result.error).toBeUndefined();
      expect(decision).toMatchObject({ gates: [{ ruleId: 'first' }, { ruleId: 'second' }] });
    },
  );

  it('leaves on record what the rules were asked, which of them want a person, and by what', async () => {
    const asked = create(PolicyRequestSchema, { action: 'tool.execute', context: { a: 1 } });
    const gates = [create(PolicyGateSchema, { ruleId: 'ask-first', quorum: 2 })];
    const { decision } = await calling({
      policy: policyThatSays({ ...needsApproval, asked, gates, engine: 'cedar 0' }),
    });
    expect(decision).toMatchObject({
      kind: 'DECISION_KIND_DENY',
      reason: 'not asked',
      asked: { action: 'tool.execute', context: { a: 1 } },
      gates: [{ ruleId: 'ask-first', quorum: 2 }],
      policyEngine: 'cedar 0',
    });
  });

  it('that the rules deny names the command that tells why', async () => {
    const asked = create(PolicyRequestSchema, { action: 'tool.execute' });
    const { result, proposedId } = await calling({ policy: policyThatSays({ asked }) });
    expect(result.error?.help).toBe(
      `change the test; \`palyra policy explain ${proposedId}\` tells why`,
    );
  });

  it('that a person denies does not run', async () => {
    const sandbox = rememberingSandbox();
    const approvals = approverThatSays({ kind: 'denied', approvalId: 'a', reason: 'not today' });
    const { result, decision } = await calling({
      sandbox,
      approvals,
      policy: policyThatSays(needsApproval, allow),
    });
    expect(sandbox.requests).toEqual([]);
    expect(result.error?.message).toBe('not today');
    expect(decision).toMatchObject({ kind: 'DECISION_KIND_DENY', reason: 'not today' });
  });

  it('that nobody answered in time tells the model what it can do', async () => {
    const help = 'ask for it again, or go on without it';
    const late = {
      kind: 'denied',
      approvalId: 'a',
      reason: 'nobody answered in time',
      help,
    } as const;
    const { result, decision } = await calling({
      approvals: approverThatSays(late),
      policy: policyThatSays(needsApproval, allow),
    });
    expect(result.error).toMatchObject({ message: 'nobody answered in time', help });
    expect(decision).toMatchObject({ help });
  });

  it(
    'is refused when policy, approval desk or both fail',
    verifies('pipeline:fail-closed'),
    async () => {
      const sandbox = rememberingSandbox();
      const broken = async () => {
        throw new Error('broken');
      };
      const first = await calling({ sandbox, policy: { ...policyThatSays(), judge: broken } });
      const second = await calling({
        sandbox,
        policy: policyThatSays(needsApproval, allow),
        approvals: { ask: broken, withdraw: async () => {}, withdrawAll: async () => {} },
      });
      const third = await calling({
        sandbox,
        policy: policyThatSays({ kind: DecisionKind.UNSPECIFIED }),
      });
      expect([...first.log, ...second.log]).toEqual([
        'policy failed, the call is denied',
        'policy failed, the call is denied',
      ]);
      for (const { result } of [first, second, third]) {
        expect(result.outcome).toBe(ToolOutcome.REFUSED);
      }
      expect(sandbox.requests).toEqual([]);
    },
  );

  it('with malformed arguments is refused as such, and policy is not asked', async () => {
    const malformed = { ...call, argumentsJson: '{' };
    const policy = policyThatSays(allow);
    const { result, decision } = await calling({ policy }, new AbortController().signal, malformed);
    expect(result.error?.code).toBe(ErrorCode.TOOL_ARGUMENTS_INVALID);
    expect(decision).toMatchObject({ reason: 'the arguments are not json' });
  });

  it('whose sandbox breaks is a failed call with evidence, not a crash', async () => {
    const sandbox = {
      ...rememberingSandbox(),
      execute: async () => {
        throw new PalyraError('SANDBOX_UNAVAILABLE', 'gone');
      },
    };
    const { result, kinds, attestation } = await calling({
      sandbox,
      policy: policyThatSays(allow),
    });
    expect(attestation).toMatchObject({
      executor: Executor.SANDBOX_TIER_B_RLIMITS,
      sandboxEnforcement: expect.stringContaining('unknown'),
    });
    expect(result.outcome).toBe(ToolOutcome.FAILED);
    expect(result.error?.code).toBe(ErrorCode.SANDBOX_UNAVAILABLE);
    expect(kinds.at(-1)).toBe('tool.attested');
  });

  it('of a run that was cancelled gets no clearance', async () => {
    const sandbox = rememberingSandbox();
    const policy = policyThatSays(allow);
    const { result, kinds, decision } = await calling({ sandbox, policy }, AbortSignal.abort());
    expect(decision).toMatchObject({ reason: expect.stringContaining('cancelled') });
    expect(sandbox.requests).toEqual([]);
    expect(result.outcome).toBe(ToolOutcome.CANCELLED);
    expect(kinds).not.toContain('tool.started');
  });

  it(
    'does not run when the journal cannot record its start',
    verifies('pipeline:no-journal-no-tool'),
    async () => {
      await using test = await testGateway();
      const { ids } = test.parts;
      const sandbox = rememberingSandbox();
      let appends = 0;
      const journal: GatewayParts['journal'] = {
        ...test.parts.journal,
        append: async (drafts) => {
          appends += 1;
          if (appends > 1) throw new PalyraError('JOURNAL_UNWRITABLE', 'the disk is full');
          return await test.journal.append(drafts);
        },
      };
      const parts = { ...test.parts, journal, sandbox, policy: policyThatSays(allow) };
      const run = {
        runId: ids.next<'run'>(),
        sessionId: ids.next<'session'>(),
        principal: 'u',
        channel: 'cli',
        deviceId: '',
        model: 'talking',
        workspace: '/workspace',
      };
      const budget = new RunBudget(
        new DayShare(run, test.parts.budgets),
        NOTHING_SPENT,
        test.parts,
      );
      const stream = new RunStream(run.runId, 10);
      const context = { parts, run, stream, budget, taint: new Set<TaintLabel>() };
      const { signal } = new AbortController();
      await expect(callTool(call, context, signal)).rejects.toMatchObject({
        code: 'JOURNAL_UNWRITABLE',
      });
      expect(sandbox.requests).toEqual([]);
    },
  );
});
