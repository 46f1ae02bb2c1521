import type { Execution } from '@palyra/gateway';
import type { ErrorCode, PalyraError } from '@palyra/kernel';
import { Executor, ToolOutcome } from '@palyra/protocol';

/** What became of a call that the gateway carried out itself. */
export type OwnOutcome =
  | { readonly kind: 'succeeded'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly error: PalyraError };

const OUTCOMES: Readonly<Partial<Record<ErrorCode, ToolOutcome>>> = {
  APPROVAL_OUTDATED: ToolOutcome.REFUSED,
  CANCELLED: ToolOutcome.CANCELLED,
  SANDBOX_TIMED_OUT: ToolOutcome.TIMED_OUT,
};

export function ownExecution(outcome: OwnOutcome, enforcement: string): Execution {
  const executor = Executor.GATEWAY;
  if (outcome.kind === 'succeeded') {
    const output = new Uint8Array(outcome.bytes);
    return { outcome: ToolOutcome.SUCCEEDED, executor, enforcement, output };
  }
  const { error } = outcome;
  const output = new Uint8Array();
  return {
    outcome: OUTCOMES[error.code] ?? ToolOutcome.FAILED,
    executor,
    enforcement,
    output,
    error,
  };
}
