import { sha256Hex } from '@palyra/kernel';
import { faultOf } from './faults.ts';
import type { Ending, Posture, SandboxRequest } from './model.ts';

export interface Refusal {
  readonly executor: string;
  readonly weaknesses: readonly string[];
  /** As `performance.now` told it. */
  readonly started: number;
}

/** How a command ends that was never started. */
export function refused(reason: unknown, request: SandboxRequest, refusal: Refusal): Ending {
  return {
    kind: 'refused',
    fault: faultOf(reason),
    stdout: new Uint8Array(),
    stderr: new Uint8Array(),
    truncated: { stdout: false, stderr: false },
    outputSha256: sha256Hex(new Uint8Array()),
    durationMs: performance.now() - refusal.started,
    posture: nothingStarted(request, refusal),
  };
}

function nothingStarted({ egress }: SandboxRequest, { executor, weaknesses }: Refusal): Posture {
  return {
    executor,
    namespaces: [],
    seccomp: '',
    memory: 'best-effort',
    egress: egress.mode,
    hosts: [],
    isWarm: false,
    weaknesses,
  };
}
