import type { RunEvent } from '@palyra/protocol';
import type { GivenAnswer } from '../approval-keys.ts';
import type { CallState } from './call-state.ts';
import { type Draft, EMPTY } from './draft.ts';
import { type History, NO_HISTORY } from './history.ts';
import type { Press } from './press.ts';
import type { AskedQuestion, Question } from './question.ts';
import type { Picker, ShownSession } from './session-picker.ts';
import type { PageName } from './slash-commands.ts';
import { SILENCE, type Speech } from './speech.ts';
import { NOTHING_TOLD, type Transcript } from './transcript.ts';

/** Everything that the screen shows, and nothing else. Changed only by `advance`. */
export interface ChatState {
  readonly session: ShownSession;
  /** The model that the next prompt asks for; empty for the configured one. */
  readonly model: string;
  readonly transcript: Transcript;
  readonly speech: Speech;
  readonly calls: readonly CallState[];
  /** What the model wrote for the calls of its last message. */
  readonly written: ReadonlyMap<string, string>;
  readonly run: ActiveRun | undefined;
  /** The run that was last heard of; what `/undo`, `/branch` and `/resume` mean. */
  readonly lastRunId: string;
  /** Prompts that were sent and have not begun. */
  readonly queue: readonly QueuedPrompt[];
  readonly nextTicket: number;
  /** The first one is put to the person; the others wait behind it. */
  readonly questions: readonly Question[];
  readonly draft: Draft;
  readonly history: History;
  readonly focus: Focus;
  /** Why the gateway is not heard, while it is not. */
  readonly away: string | undefined;
  /** Milliseconds of the clock, as of the last thing that happened. */
  readonly now: number;
  /** Until then another Ctrl-C leaves. */
  readonly leaveUntil: number;
}

export interface ActiveRun {
  readonly runId: string;
  readonly startedAt: number;
  readonly isCancelling: boolean;
}

export interface QueuedPrompt {
  readonly ticket: number;
  readonly prompt: string;
  /** The gateway has it: it waits there for the run before it. */
  readonly isTaken: boolean;
  /** It is to be cancelled as soon as it begins. */
  readonly isUnwanted: boolean;
}

/** Who gets the keys. */
export type Focus =
  | { readonly at: 'draft' }
  | { readonly at: 'question' }
  | {
      readonly at: 'calls';
      readonly callId: string;
      readonly isOpen: boolean;
      readonly scroll: number;
    }
  | { readonly at: 'picker'; readonly picker: Picker };

export const ON_DRAFT: Focus = { at: 'draft' };

/** What can happen to a chat. */
export type ChatEvent =
  | { readonly kind: 'pressed'; readonly press: Press; readonly at: number }
  | { readonly kind: 'pasted'; readonly text: string }
  | { readonly kind: 'run'; readonly told: ToldEvent; readonly at: number }
  /** A prompt did not become a run. */
  | { readonly kind: 'not-taken'; readonly ticket: number; readonly failure: Failure }
  | { readonly kind: 'question'; readonly asked: AskedQuestion; readonly at: number }
  | { readonly kind: 'sessions'; readonly sessions: readonly ShownSession[] }
  | { readonly kind: 'opened'; readonly session: ShownSession; readonly prompts: readonly string[] }
  | { readonly kind: 'renamed'; readonly session: ShownSession }
  | { readonly kind: 'page'; readonly lines: readonly string[] }
  | { readonly kind: 'told'; readonly text: string }
  /** The next prompt asks this one. */
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'away'; readonly why: string }
  | { readonly kind: 'back' }
  | { readonly kind: 'ticked'; readonly at: number }
  /** Everything up to this item stands on the terminal. */
  | { readonly kind: 'printed'; readonly itemId: number };

export interface ToldEvent {
  readonly event: RunEvent;
  /** Of a prompt that was sent from here. */
  readonly ticket?: number | undefined;
  /** What is told again asks nobody. */
  readonly from: 'past' | 'live';
}

export interface Failure {
  readonly message: string;
  readonly help: string;
}

/** What the chat wants done. Carried out elsewhere; what comes of it comes back as an event. */
export type Wish =
  | { readonly kind: 'send'; readonly ticket: number; readonly prompt: string }
  | { readonly kind: 'cancel'; readonly runId: string }
  | { readonly kind: 'resume'; readonly runId: string }
  | { readonly kind: 'ask'; readonly approvalId: string }
  | { readonly kind: 'answer'; readonly given: GivenAnswer }
  | { readonly kind: 'list-sessions' }
  | { readonly kind: 'open-session'; readonly session: ShownSession }
  | { readonly kind: 'leave-session' }
  | { readonly kind: 'rename'; readonly sessionId: string; readonly title: string }
  | { readonly kind: 'archive'; readonly sessionId: string }
  | { readonly kind: 'branch'; readonly runId: string; readonly title: string }
  | { readonly kind: 'undo'; readonly runId: string }
  | { readonly kind: 'page'; readonly name: PageName }
  | { readonly kind: 'choose-model'; readonly name: string }
  | { readonly kind: 'leave' };

export interface Step {
  readonly state: ChatState;
  readonly wishes: readonly Wish[];
}

export function step(state: ChatState, ...wishes: readonly Wish[]): Step {
  return { state, wishes };
}

export const NO_SESSION: ShownSession = { sessionId: '', title: '', changedAt: '' };

export function freshChat(model: string, now: number): ChatState {
  return {
    session: NO_SESSION,
    model,
    transcript: NOTHING_TOLD,
    speech: SILENCE,
    calls: [],
    written: new Map(),
    run: undefined,
    lastRunId: '',
    queue: [],
    nextTicket: 1,
    questions: [],
    draft: EMPTY,
    history: NO_HISTORY,
    focus: ON_DRAFT,
    away: undefined,
    now,
    leaveUntil: 0,
  };
}
