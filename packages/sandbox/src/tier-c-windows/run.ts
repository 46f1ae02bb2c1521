import { PalyraError, sha256Hex } from '@palyra/kernel';
import { faultOf } from '../faults.ts';
import type { Ending, SandboxRequest } from '../model.ts';

export const EXECUTOR = 'sandbox_tier_c_windows_job_object';

/** Contract: always a refusal with its reason; a weaker tier never takes its place. */
export function runWindows(request: SandboxRequest): Ending {
  return {
    kind: 'refused',
    fault: faultOf(refusal(request)),
    stdout: new Uint8Array(),
    stderr: new Uint8Array(),
    truncated: { stdout: false, stderr: false },
    outputSha256: sha256Hex(new Uint8Array()),
    durationMs: 0,
    posture: {
      executor: EXECUTOR,
      namespaces: [],
      seccomp: '',
      memory: 'best-effort',
      egress: request.egress.mode,
      isWarm: false,
      weaknesses: [],
    },
  };
}

function refusal({ tier }: SandboxRequest): PalyraError {
  switch (tier) {
    case 'C':
      return new PalyraError(
        'SANDBOX_UNAVAILABLE',
        'there is no tier C on Windows: a job object limits a process and isolates neither files nor network',
        { help: 'run the gateway on Linux or in WSL 2' },
      );
    case 'B':
      return new PalyraError('SANDBOX_UNAVAILABLE', 'tier B is not proven on this machine', {
        help: 'run the gateway on Linux or in WSL 2',
      });
  }
}
