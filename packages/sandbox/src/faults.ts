import { type ErrorCode, PalyraError } from '@palyra/kernel';
import type { FaultKind, SandboxFault } from './model.ts';
import { isOutOfDescriptors, outOfDescriptors } from './out-of-descriptors.ts';

/** Contract: whatever was thrown becomes a fault; what has no name is a failure of ours. */
export function faultOf(reason: unknown): SandboxFault {
  const error = isOutOfDescriptors(reason) ? outOfDescriptors(reason) : PalyraError.from(reason);
  const { code, message, help } = error;
  const fault = { kind: KINDS[code] ?? 'RuntimeFailure', code, reason: message, help };
  return reason instanceof MissingProgram ? { ...fault, isMissing: true } : fault;
}

/** Told apart, as every shell does, from a program that is there and cannot be run. */
export class MissingProgram extends PalyraError {}

const KINDS: Readonly<Partial<Record<ErrorCode, FaultKind>>> = {
  INVALID_INPUT: 'InvalidInput',
  SANDBOX_DISABLED: 'Disabled',
  SANDBOX_UNAVAILABLE: 'UnsupportedPlatform',
  SANDBOX_SCOPE_DENIED: 'WorkspaceScopeDenied',
  SANDBOX_EGRESS_DENIED: 'EgressDenied',
  SANDBOX_QUOTA_EXCEEDED: 'QuotaExceeded',
  SANDBOX_TIMED_OUT: 'TimedOut',
  SANDBOX_SPAWN_FAILED: 'SpawnFailed',
};
