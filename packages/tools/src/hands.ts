import type { PalyraError } from '@palyra/kernel';
import { PAGE_BYTES } from './artifact-read/page.ts';
import type { OpenWorkspace } from './workspace/open-workspace.ts';

/** All that a file tool can touch. Whether a call may run at all was decided before it gets here. */
export interface ToolHands {
  /** Of the call that they are lent to: what it lays ready beside files bears it. */
  readonly callId: string;
  readonly workspace: OpenWorkspace;
  readonly undo: UndoPort;
  readonly limits: ToolLimits;
}

export interface UndoPort {
  /**
   * Contract: durable when it resolves. Called before a change; when it rejects, nothing is changed.
   */
  keep(old: KeptVersion, place: ChangePlace): Promise<void>;
}

/** One file before and after one change: enough to take it back, and to see whether that is still right. */
export interface KeptVersion {
  /** From the workspace. */
  readonly path: string;
  readonly before: OldContent;
  readonly after: NewContent;
}

/** What else is true of where a change is made. */
export interface ChangePlace {
  /** Mode of the file and numbers of the folders on the way: the same content elsewhere is another file. */
  readonly facts: string;
  /** So many of the folders on the way, the last ones, are not there yet. */
  readonly madeFolders: number;
}

/** A change that is only looked at yet. */
export interface PlannedChange extends KeptVersion, ChangePlace {}

/** A change that was made. */
export interface MadeChange extends KeptVersion, Partial<Pick<ChangePlace, 'madeFolders'>> {}

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
  | { readonly kind: 'file'; readonly sha256: string; readonly mode: number };

export interface ToolLimits {
  /** Of one page of a file; the rest is further on in it. */
  readonly outputBytes: number;
  /** Of a file that is written, replaced or kept for undo. */
  readonly fileBytes: number;
  /** Read through by one call, matching or not. */
  readonly scanBytes: number;
  /** Looked at by one call in all folders together. */
  readonly entries: number;
  /** What lies ready for longer belongs to a call that a crash has ended. */
  readonly draftMs: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = {
  outputBytes: PAGE_BYTES,
  fileBytes: 8_388_608,
  scanBytes: 1_073_741_824,
  entries: 200_000,
  draftMs: 3_600_000,
};

export type ToolOutput =
  | {
      readonly kind: 'succeeded';
      readonly bytes: Uint8Array;
      /** Kept beside it under its hash, which the answer names. */
      readonly artifact?: Uint8Array;
    }
  | { readonly kind: 'failed'; readonly error: PalyraError };
