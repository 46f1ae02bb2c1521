import { PalyraError } from '@palyra/kernel';
import type { Ending, SandboxRequest } from '../model.ts';
import { refused } from '../refused.ts';

export const EXECUTOR = 'sandbox_tier_c_windows_job_object';

export const NO_TIER_C =
  'there is no tier C on Windows: a job object limits a process and isolates neither files nor network';

/** Contract: always a refusal with its reason; a weaker tier never takes its place. */
export function runWindows(request: SandboxRequest): Ending {
  const started = performance.now();
  return refused(refusal(request), request, { executor: EXECUTOR, weaknesses: [], started });
}

function refusal({ tier }: SandboxRequest): PalyraError {
  switch (tier) {
    case 'C':
      return new PalyraError('SANDBOX_UNAVAILABLE', NO_TIER_C, {
        help: 'run the gateway on Linux or in WSL 2',
      });
    case 'B':
      return new PalyraError('SANDBOX_UNAVAILABLE', 'tier B is not proven on this machine', {
        help: 'run the gateway on Linux or in WSL 2',
      });
  }
}
