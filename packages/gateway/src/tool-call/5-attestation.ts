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
    output: execution.output,
  });
}

/** What the model and the person get to see of an execution. */
export function resultOf(callId: string, execution: Execution, times: CallTimes): ToolResult {
  return create(ToolResultSchema, {
    callId,
    outcome: execution.outcome,
    output: new TextDecoder().decode(execution.output),
    durationMs: Math.max(0, times.endedAt.getTime() - times.startedAt.getTime()),
    ...(execution.error === undefined ? {} : { error: detailOf(execution.error) }),
  });
}

export function detailOf(error: PalyraError): ErrorDetail {
  const { code, message, help } = error;
  return create(ErrorDetailSchema, { code: ErrorCode[code], message, help });
}
