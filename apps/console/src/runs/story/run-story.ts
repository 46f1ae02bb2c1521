import type { ErrorDetail, ImageNote, RunSpending, RunStatus, StopReason } from '@palyra/protocol';
import type { CallStory } from './call.ts';
import { SILENCE, type Speech } from './speech.ts';

/** Things that one run tells; older ones are in the journal. */
export const MAX_ITEMS = 20_000;

/** A run, as far as its events have told of it. */
export interface RunStory {
  readonly runId: string;
  readonly items: readonly StoryItem[];
  readonly calls: ReadonlyMap<string, CallStory>;
  readonly speech: Speech;
  /** Why there is nothing to hear from the model right now. */
  readonly delay: Delay | undefined;
  /** What the model wrote for the calls of its last message. */
  readonly written: ReadonlyMap<string, string>;
  readonly about: RunBeginning | undefined;
  readonly phase: Phase;
  /** Of the newest event that is on record; what is heard again up to here is skipped. */
  readonly lastSequence: bigint;
  /** Items at the beginning that are not kept. */
  readonly itemsLeftOut: number;
}

export type Phase = 'unknown' | 'queued' | 'active' | 'over' | 'interrupted';

export interface RunBeginning {
  readonly model: string;
  readonly principal: string;
  readonly channel: string;
  readonly deviceId: string;
  readonly workspace: string;
}

export interface Delay {
  readonly model: string;
  readonly waitMs: number;
  readonly reason: string;
}

/** One thing in the story. Its key stays the same from its first word on. */
export type StoryItem =
  | {
      readonly kind: 'prompt';
      readonly key: string;
      readonly text: string;
      readonly images: readonly ImageNote[];
      readonly at: string;
    }
  | { readonly kind: 'text'; readonly key: string; readonly markdown: string }
  | { readonly kind: 'thought'; readonly key: string; readonly text: string }
  | { readonly kind: 'cut-off'; readonly key: string }
  | { readonly kind: 'call'; readonly key: string; readonly callId: string }
  | { readonly kind: 'note'; readonly key: string; readonly text: string }
  | { readonly kind: 'compacted'; readonly key: string; readonly compaction: Compaction }
  | { readonly kind: 'restored'; readonly key: string; readonly paths: readonly string[] }
  | { readonly kind: 'interrupted'; readonly key: string; readonly reason: string }
  | { readonly kind: 'ended'; readonly key: string; readonly ending: Ending };

export interface Compaction {
  readonly summary: string;
  readonly tokensBefore: bigint;
  readonly tokensAfter: bigint;
}

export interface Ending {
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  readonly error: ErrorDetail | undefined;
  readonly spent: RunSpending | undefined;
}

export function emptyStory(runId: string): RunStory {
  return {
    runId,
    items: [],
    calls: new Map(),
    speech: SILENCE,
    delay: undefined,
    written: new Map(),
    about: undefined,
    phase: 'unknown',
    lastSequence: 0n,
    itemsLeftOut: 0,
  };
}
