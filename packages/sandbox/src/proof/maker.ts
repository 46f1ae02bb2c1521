import type { Bytes } from '@palyra/kernel';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, Limits, SandboxRequest } from '../model.ts';
import type { Site } from './site.ts';
import type { Step } from './verdict.ts';

/** Whoever makes sandboxes of one step, as far as they are tried here. */
export interface Maker {
  readonly step: Step;
  readonly executor: string;
  /** Contract: never rejects. */
  run(request: SandboxRequest, signal: AbortSignal): Promise<Ending>;
  /** What `run` would do. Contract: starts nothing; rejects with what `run` would refuse for. */
  prepare(request: SandboxRequest): Promise<{ readonly hash: string }>;
  /** Contract: resolves when nothing warm of it holds anything in a workspace. */
  settle(): Promise<void>;
}

/** A step that this machine does not have, in its own words. */
export interface Unmade {
  readonly step: Step;
  readonly executor: string;
  readonly refusal: string;
}

export interface TrialPlace {
  /** Ours alone; workspaces for trials are made in it, and removed. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Longer than a busy machine needs, shorter than anybody would wait. */
const PATIENCE_MS = 30_000;

export interface Trial {
  readonly script: string;
  readonly stdin?: Bytes;
  readonly limits?: Limits;
}

/** A shell in the site's workspace, without network; whatever it is given is a canary as well. */
export function requestFor(
  { workspace, token }: Pick<Site, 'workspace' | 'token'>,
  trial: Trial,
): SandboxRequest {
  return {
    tier: 'C',
    executable: '/bin/sh',
    arguments: ['-c', trial.script],
    workspace,
    directory: '.',
    environment: { PALYRA_CANARY: token },
    stdin: trial.stdin ?? new Uint8Array(),
    limits: trial.limits ?? { ...DEFAULT_LIMITS, wallTimeMs: PATIENCE_MS },
    egress: { mode: 'strict', hosts: [], secrets: [] },
    principal: 'prover',
    session: token,
    policySetHash: '',
  };
}
