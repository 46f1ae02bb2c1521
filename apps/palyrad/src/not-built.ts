import type { ApprovalPort, SandboxPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import { Executor, ToolOutcome } from '@palyra/protocol';

/** What stands where a part will be. Each refuses, and says that it is the part that is missing. */

export const noApprovals: ApprovalPort = {
  ask: () =>
    Promise.reject(
      new PalyraError('APPROVAL_UNAVAILABLE', 'nobody can be asked: approvals do not exist yet'),
    ),
};

export const noSandbox: SandboxPort = {
  executor: Executor.NONE,
  execute: () =>
    Promise.resolve({
      outcome: ToolOutcome.FAILED,
      executor: Executor.NONE,
      enforcement: 'not executed',
      output: new Uint8Array(),
      error: new PalyraError('SANDBOX_UNAVAILABLE', 'no sandbox exists yet, so nothing was run'),
    }),
};
