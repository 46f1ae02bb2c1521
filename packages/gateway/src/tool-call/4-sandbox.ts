import { type Log, PalyraError, redact } from '@palyra/kernel';
import { Executor, ToolOutcome } from '@palyra/protocol';
import type { Execution, SandboxPort, SandboxRequest } from '../ports.ts';
import type { Clearance } from './3-approval.ts';

export interface ExecuteContext {
  readonly sandbox: SandboxPort;
  readonly log: Log;
  /** The rules under which the call was cleared. */
  readonly policySetHash: string;
  /** As the start of the call is on record with it. */
  readonly executor: Executor;
  readonly hooks: Pick<SandboxRequest, 'mayConnect' | 'onConnection' | 'onOutput' | 'onFileChange'>;
}

/** Contract: needs a clearance, which only the stage before can make; never throws. */
export async function execute(
  clearance: Clearance,
  { sandbox, log, policySetHash, executor, hooks }: ExecuteContext,
  signal: AbortSignal,
): Promise<Execution> {
  const { callId, tool, arguments: args, principal, sessionId, workspace } = clearance.proposal;
  const { shown } = clearance;
  const call = { callId, tool, arguments: args ?? {}, principal, sessionId, workspace };
  try {
    const seen = shown === undefined ? {} : { shown };
    return await sandbox.execute({ ...call, policySetHash, ...seen, ...hooks }, signal);
  } catch (reason) {
    log.error('sandbox failed', { tool, error: redact(reason) });
    return unproven(PalyraError.from(reason), executor);
  }
}

/** What a call that was not cleared comes to. */
export function refuse(fault: PalyraError): Execution {
  const outcome = fault.code === 'CANCELLED' ? ToolOutcome.CANCELLED : ToolOutcome.REFUSED;
  return notExecuted(outcome, fault);
}

/**
 * What is known of a call that started and was never seen to end: where it started and nothing more,
 * and so it failed. Evidence that named no executor would say that nothing ran.
 */
export function unproven(error: PalyraError, executor: Executor): Execution {
  const enforcement = 'unknown: the call started, and nobody saw it end';
  return { ...notExecuted(ToolOutcome.FAILED, error), executor, enforcement };
}

function notExecuted(outcome: ToolOutcome, error: PalyraError): Execution {
  return {
    outcome,
    executor: Executor.NONE,
    enforcement: 'not executed',
    output: new Uint8Array(),
    error,
  };
}
