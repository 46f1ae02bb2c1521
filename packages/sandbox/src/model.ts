import type { Bytes, ErrorCode } from '@palyra/kernel';

/** From the weakest cage to the strongest that a process can have here. */
export type Tier = 'B' | 'C';

/** What is to be run, where, and within which bounds. Data alone: it crosses processes, and is hashed. */
export interface SandboxRequest {
  readonly tier: Tier;
  /** A bare name, looked up in the system's folders, or a path; never a shell's line. */
  readonly executable: string;
  readonly arguments: readonly string[];
  /** Absolute, on the host. The only place that can be written, and its owner's stays its owner's. */
  readonly workspace: string;
  /** In the workspace, relative to it; `.` for itself. */
  readonly directory: string;
  /** Names match `[A-Za-z_][A-Za-z0-9_]*`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: Bytes;
  readonly limits: Limits;
  readonly egress: EgressRequest;
  /** For whom, so that nothing warm is ever shared. */
  readonly principal: string;
  readonly session: string;
  /** Of the rules under which it was decided: nothing warm outlives a change of them. */
  readonly policySetHash: string;
}

export interface Limits {
  readonly cpuTimeMs: number;
  readonly wallTimeMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly processes: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  /** For /tmp and /dev/shm together. */
  readonly scratchBytes: number;
}

export type EgressRequest =
  /** The machine's own network, without restriction. */
  | { readonly mode: 'none' }
  /** Hosts that are declared or recognised were checked before; nothing is enforced while it runs. */
  | { readonly mode: 'preflight'; readonly hosts: readonly string[] }
  /** Nothing but these, enforced below the process. */
  | {
      readonly mode: 'strict';
      /** Entries of an allowlist, as `packages/egress` spells them; empty for nothing at all. */
      readonly hosts: readonly string[];
      readonly secrets: readonly SecretUse[];
    };

/** A secret that the command may use without ever seeing it. */
export interface SecretUse {
  /** The environment variable that holds the placeholder inside. */
  readonly variable: string;
  readonly name: string;
  /** Where alone it may go, as an entry of the allowlist: `POST api.example/v1/**`. */
  readonly use: string;
}

/**
 * How a process ended: by itself, by a signal (its own, or ours with a fault that says why), or never
 * started. `code` and `signal` exclude one another; both are absent when none was started.
 */
export interface Ending {
  readonly kind: 'exited' | 'killed' | 'refused';
  readonly code?: number;
  readonly signal?: string;
  readonly fault?: SandboxFault;
  readonly stdout: Bytes;
  readonly stderr: Bytes;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  /** SHA-256, in hex, of the bytes that are given here: stdout, then stderr. */
  readonly outputSha256: string;
  readonly durationMs: number;
  /** What was observed of the cage, never what was meant. */
  readonly posture: Posture;
}

export const FAULT_KINDS = [
  'Disabled',
  'UnsupportedPlatform',
  'InvalidInput',
  'WorkspaceScopeDenied',
  'EgressDenied',
  'QuotaExceeded',
  'TimedOut',
  'SpawnFailed',
  'RuntimeFailure',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface SandboxFault {
  readonly kind: FaultKind;
  readonly code: ErrorCode;
  readonly reason: string;
  readonly help: string;
  /** Of `SpawnFailed`: the program, or what it needs to start, is not there at all. */
  readonly isMissing?: true;
}

/** The cage as it was seen to be. */
export interface Posture {
  readonly executor: string;
  readonly namespaces: readonly string[];
  readonly seccomp: string;
  readonly memory: 'cgroup' | 'best-effort';
  readonly egress: string;
  /** Whom it could talk to, each in its one spelling; of `preflight`, whom it said it would. */
  readonly hosts: readonly string[];
  readonly isWarm: boolean;
  /** Steps of the ladder that were taken, and why; empty for the full profile. */
  readonly weaknesses: readonly string[];
  /** Of these, why each stronger step was not taken; absent for the strongest. */
  readonly passedOver?: readonly string[] | undefined;
}
