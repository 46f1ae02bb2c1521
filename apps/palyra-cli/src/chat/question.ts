import { type KeyMeaning, meaningOf, widerMeaningOf } from '../approval-keys.ts';
import { type ShownApproval, answerTo } from '../one-approval.ts';
import { type ChatState, ON_DRAFT, type Step, step } from './chat-state.ts';
import { type Draft, EMPTY } from './draft.ts';
import { type Press, edited } from './press.ts';
import { tell } from './transcript.ts';

/** A question as the person is to see it. */
export interface AskedQuestion {
  readonly shown: ShownApproval;
  /** The call and what asks about it. */
  readonly page: readonly string[];
  readonly details: readonly string[];
  /** How somebody else answers it. */
  readonly elsewhere: string;
}

export interface Question extends AskedQuestion {
  /** When a key was last pressed that may have been meant for something else. */
  readonly noiseAt: number;
  readonly mode: QuestionMode;
}

export type QuestionMode =
  | { readonly at: 'keys' }
  | { readonly at: 'shapes' }
  | { readonly at: 'why'; readonly why: Draft };

const KEYS: QuestionMode = { at: 'keys' };

/** Somebody may still be typing at something else when a question comes up. */
const SETTLE_MS = 300;

/** A question comes in. One that stands there already is not asked twice. */
export function take(state: ChatState, asked: AskedQuestion, at: number): ChatState {
  const { approvalId } = asked.shown.approval;
  if (state.questions.some(({ shown }) => shown.approval.approvalId === approvalId)) return state;
  const questions = [...state.questions, { ...asked, noiseAt: at, mode: KEYS }];
  return questions.length === 1 ? put({ ...state, questions }, at) : { ...state, questions };
}

/** It was answered, here or elsewhere, or is over; the next one is put. */
export function drop(state: ChatState, approvalId: string, at: number): ChatState {
  const [front] = state.questions;
  const questions = state.questions.filter(({ shown }) => shown.approval.approvalId !== approvalId);
  const left = { ...state, questions };
  if (front?.shown.approval.approvalId !== approvalId) return left;
  return put({ ...left, focus: left.focus.at === 'question' ? ON_DRAFT : left.focus }, at);
}

/**
 * Shows the first question, and gives it the keys unless somebody is typing: a word that goes on
 * must not become an answer.
 */
function put(state: ChatState, at: number): ChatState {
  const [front, ...others] = state.questions;
  if (front === undefined) return state;
  const isFree = state.focus.at === 'draft' && state.draft.text === '';
  return {
    ...state,
    questions: [{ ...front, noiseAt: at }, ...others],
    transcript: tell(state.transcript, { kind: 'question', lines: front.page }),
    focus: isFree ? { at: 'question' } : state.focus,
  };
}

export function pressOnQuestion(state: ChatState, press: Press, at: number): Step {
  const [front] = state.questions;
  if (front === undefined) return step({ ...state, focus: ON_DRAFT });
  if (at - front.noiseAt < SETTLE_MS && front.mode.at === 'keys') {
    return step(replaceFront(state, { ...front, noiseAt: at }));
  }
  switch (front.mode.at) {
    case 'keys':
      if (press.name === 'escape' || press.name === 'tab')
        return step({ ...state, focus: ON_DRAFT });
      return act(state, front, { meant: meaningOf(letter(press), front.shown), at });
    case 'shapes': {
      const meant = widerMeaningOf(letter(press), front.shown);
      const back = replaceFront(state, { ...front, mode: KEYS });
      return meant === undefined ? step(back) : act(state, front, { meant, at });
    }
    case 'why':
      return pressOnWhy(state, front, { press, why: front.mode.why, at });
  }
}

/** A paste is no answer; it can only be a reason. */
export function pasteOnQuestion(state: ChatState, text: string): ChatState {
  const [front] = state.questions;
  if (front?.mode.at !== 'why') return state;
  const why = edited(front.mode.why, { text: text.replaceAll(/\s+/g, ' ') });
  return replaceFront(state, { ...front, mode: { at: 'why', why } });
}

interface Meant {
  readonly meant: KeyMeaning | undefined;
  readonly at: number;
}

function act(state: ChatState, front: Question, { meant, at }: Meant): Step {
  const { approvalId } = front.shown.approval;
  switch (meant?.kind) {
    case undefined:
      return step(state);
    case 'answer':
      return step(drop(state, approvalId, at), { kind: 'answer', given: meant.given });
    case 'deny':
      return step(replaceFront(state, { ...front, mode: { at: 'why', why: EMPTY } }));
    case 'widen':
      return step(replaceFront(state, { ...front, mode: { at: 'shapes' } }));
    case 'details': {
      const page = { kind: 'question', lines: front.details } as const;
      return step({ ...state, transcript: tell(state.transcript, page) });
    }
    case 'leave': {
      const note = { kind: 'note', tone: 'quiet', text: front.elsewhere } as const;
      return step(drop({ ...state, transcript: tell(state.transcript, note) }, approvalId, at));
    }
  }
}

interface Why {
  readonly press: Press;
  readonly why: Draft;
  readonly at: number;
}

function pressOnWhy(state: ChatState, front: Question, { press, why, at }: Why): Step {
  if (press.name === 'escape') return step(replaceFront(state, { ...front, mode: KEYS }));
  if (press.name === 'return') {
    const given = answerTo(front.shown, 'denied', why.text.trim());
    return step(drop(state, front.shown.approval.approvalId, at), { kind: 'answer', given });
  }
  return step(replaceFront(state, { ...front, mode: { at: 'why', why: edited(why, press) } }));
}

function letter({ text, ctrl, alt }: Press): string {
  return text?.length === 1 && ctrl !== true && alt !== true ? text.toLowerCase() : '';
}

function replaceFront(state: ChatState, front: Question): ChatState {
  return { ...state, questions: [front, ...state.questions.slice(1)] };
}
