import { create } from '@bufbuild/protobuf';
import type { PalyraError } from '@palyra/kernel';
import {
  ErrorCode,
  type ErrorDetail,
  ErrorDetailSchema,
  type ToolAttestation,
  type ToolDecision,
  type ToolResult,
  ToolResultSchema,
} from '@palyra/protocol';
import type { AttestorPort, Execution } from '../ports.ts';
import type { RunIdentity } from '../run/run-note.ts';

export interface CallTimes {
  readonly startedAt: Date;
  readonly endedAt: Date;
}

interface CallFacts extends CallTimes {
  readonly decision: ToolDecision;
  readonly execution: Execution;
  readonly run: RunIdentity;
  /** Of the journal, as far as it is written. */
  readonly previousHash: string;
}

/** Signed evidence of the whole call: what was asked, decided, run, and came out. */
export function attest(facts: CallFacts, attestor: AttestorPort): ToolAttestation {
  const { decision, execution } = facts;
  return attestor.attest({
    callId: decision.callId,
    runId: facts.run.runId,
    fingerprint: decision.fingerprint,
    decision: decision.kind,
    ruleIds: decision.ruleIds,
    policySetHash: decision.policySetHash,
    approvalId: decision.approvalId,
    outcome: execution.outcome,
    executor: execution.executor,
    sandboxEnforcement: execution.enforcement,
    startedAt: facts.startedAt.toISOString(),
    endedAt: facts.endedAt.toISOString(),
    previousHash: facts.previousHash,
    egressHosts: [...(execution.reached?.hosts ?? [])],
    egressHostsAreCut: execution.reached?.isCut ?? false,
    exitSignal: execution.exitSignal ?? '',
    ...(execution.exitCode === undefined ? {} : { exitCode: execution.exitCode }),
    ...(execution.limits === undefined ? {} : { limits: execution.limits }),
    output: execution.output,
  });
}

/** What the model and the person get to see of an execution. */
export function resultOf(callId: string, execution: Execution, times: CallTimes): ToolResult {
  return create(ToolResultSchema, {
    callId,
    outcome: execution.outcome,
    output: execution.shownOutput ?? new TextDecoder().decode(execution.output),
    artifactSha256: execution.artifact?.sha256 ?? '',
    artifactBytes: BigInt(execution.artifact?.bytes ?? 0),
    durationMs: Math.max(0, times.endedAt.getTime() - times.startedAt.getTime()),
    ...(execution.error === undefined ? {} : { error: detailOf(execution.error) }),
  });
}

export function detailOf(error: PalyraError): ErrorDetail {
  const { code, message, help } = error;
  return create(ErrorDetailSchema, { code: ErrorCode[code], message, help });
}
