import { fromJson } from '@bufbuild/protobuf';
import { type Log, PalyraError, sha256Hex } from '@palyra/kernel';
import {
  DecisionKind,
  ErrorCode,
  Executor,
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
import { RunStream } from '../run/run-stream.ts';
import { callTool } from './tool-call.ts';

const call = { callId: 'call-1', tool: 'process.run', argumentsJson: '{"command":"ls"}' };
const needsApproval = { kind: DecisionKind.NEEDS_APPROVAL, reason: 'a gate asked' };
const allow = { kind: DecisionKind.ALLOW, reason: 'a rule allows it' };

async function calling(
  chosen: Partial<GatewayParts>,
  signal = new AbortController().signal,
  asked = call,
) {
  await using test = await testGateway(chosen);
  const { ids } = test.parts;
  const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>(), principal: 'user:ada' };
  const stream = new RunStream(run.runId, 100);
  using watcher = stream.subscribe();
  const result = await callTool(asked, { parts: test.parts, run, stream }, signal);
  stream.end();
  const events = await Array.fromAsync(watcher.events(new AbortController().signal));
  const entries = await test.journal.page({ after: 0, limit: 100 });
  const last = entries.at(-1)?.payload ?? {};
  return {
    result,
    kinds: entries.map(({ kind }) => kind),
    decision: entries.find(({ kind }) => kind === 'tool.decided')?.payload,
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
    expect(sequences).toEqual([1, 2, 3, 4]);
  });

  it('that policy allows runs exactly the judged arguments, its start on record first', async () => {
    const sandbox = rememberingSandbox('hello');
    const { result, kinds, attestation } = await calling({
      sandbox,
      policy: policyThatSays(allow),
    });
    expect(sandbox.requests).toEqual([{ tool: 'process.run', arguments: { command: 'ls' } }]);
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
    const approvals = approverThatSays({ kind: 'granted', approvalId: 'approval-1' });
    const policy = policyThatSays(needsApproval, needsApproval);
    const { result, attestation } = await calling({ sandbox, approvals, policy });
    expect(sandbox.requests).toEqual([]);
    expect(result.outcome).toBe(ToolOutcome.REFUSED);
    expect(attestation.approvalId).toBe('approval-1');
  });

  it('that a person approves runs once policy accepts the approval', async () => {
    const sandbox = rememberingSandbox();
    const approvals = approverThatSays({ kind: 'granted', approvalId: 'approval-1' });
    const { attestation } = await calling({
      sandbox,
      approvals,
      policy: policyThatSays(needsApproval, allow),
    });
    expect(sandbox.requests).toHaveLength(1);
    expect(attestation.approvalId).toBe('approval-1');
    expect(attestation.decision).toBe(DecisionKind.ALLOW);
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

  it(
    'is refused when policy, approval desk or both fail',
    verifies('pipeline:fail-closed'),
    async () => {
      const sandbox = rememberingSandbox();
      const broken = async () => {
        throw new Error('broken');
      };
      const first = await calling({ sandbox, policy: { judge: broken } });
      const second = await calling({
        sandbox,
        policy: policyThatSays(needsApproval, allow),
        approvals: { ask: broken },
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
      executor: Executor.SANDBOX_TIER_B_RLIMITS,
      execute: async () => {
        throw new PalyraError('SANDBOX_UNAVAILABLE', 'gone');
      },
    };
    const { result, kinds } = await calling({ sandbox, policy: policyThatSays(allow) });
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
      const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>(), principal: 'u' };
      const context = { parts, run, stream: new RunStream(run.runId, 10) };
      const { signal } = new AbortController();
      await expect(callTool(call, context, signal)).rejects.toMatchObject({
        code: 'JOURNAL_UNWRITABLE',
      });
      expect(sandbox.requests).toEqual([]);
    },
  );
});
