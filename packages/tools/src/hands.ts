import type { PalyraError } from '@palyra/kernel';
import type { OpenWorkspace } from './workspace/open-workspace.ts';

/** All that a file tool can touch. Whether a call may run at all was decided before it gets here. */
export interface ToolHands {
  readonly workspace: OpenWorkspace;
  readonly artifacts: ArtifactPort;
  readonly undo: UndoPort;
  readonly limits: ToolLimits;
}

/** Keeps what is too large for one answer. Contract: scoped by whoever hands it in, a run or a session. */
export interface ArtifactPort {
  /** Contract: resolves once it is kept, with the SHA-256 of the bytes in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** Contract: at most `length` bytes, fewer only at the end; `undefined` when there is no such artifact. */
  get(id: string, offset: number, length: number): Promise<Uint8Array | undefined>;
}

export interface UndoPort {
  /** Contract: durable when it resolves. Called before a change; when it rejects, nothing is changed. */
  keep(old: KeptVersion): Promise<void>;
}

/** One file before and after one change: enough to take it back, and to see whether that is still right. */
export interface KeptVersion {
  /** From the workspace. */
  readonly path: string;
  readonly before: OldContent;
  readonly after: NewContent;
}

export type OldContent =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly sha256: string;
      readonly bytes: Uint8Array;
      readonly mode: number;
    };

export type NewContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly sha256: string };

export interface ToolLimits {
  /** Of one answer; the rest is in an artifact or further on in the file. */
  readonly outputBytes: number;
  /** Of a file that is written, replaced or kept for undo. */
  readonly fileBytes: number;
  /** Read through by one call, matching or not. */
  readonly scanBytes: number;
  /** Looked at by one call in all folders together. */
  readonly entries: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = {
  outputBytes: 65_536,
  fileBytes: 8_388_608,
  scanBytes: 1_073_741_824,
  entries: 200_000,
};

export type ToolOutput =
  | { readonly kind: 'succeeded'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly error: PalyraError };
