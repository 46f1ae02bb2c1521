import { ErrorCode, RunStatus } from '@palyra/protocol';

export interface EndedRun {
  readonly status: RunStatus;
  readonly error?: { readonly code: ErrorCode } | undefined;
}

/** Whether the run can be taken up where it stopped: it was cut off, or its model failed. */
export function isResumable({ status, error }: EndedRun): boolean {
  if (status === RunStatus.INTERRUPTED) return true;
  return status === RunStatus.FAILED && error?.code === ErrorCode.MODEL_FAILED;
}
