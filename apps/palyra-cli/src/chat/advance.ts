import { inline } from '../render/words.ts';
import { type ChatEvent, type ChatState, type Failure, type Step, step } from './chat-state.ts';
import { draftOf } from './draft.ts';
import { pressOnCalls, pressOnPicker } from './looking.ts';
import type { Press } from './press.ts';
import { pasteOnQuestion, pressOnQuestion, take } from './question.ts';
import { cancelRun, hearRun } from './run-events.ts';
import { pickerOf } from './session-picker.ts';
import { withSession } from './sessions.ts';
import { type ItemBody, letGo, tell } from './transcript.ts';
import { pressOnDraft, type } from './typing.ts';

/** The chat after something happened, and what it wants done. Pure: everything it knows comes in. */
export function advance(state: ChatState, event: ChatEvent): Step {
  switch (event.kind) {
    case 'pressed':
      return pressed({ ...state, now: event.at }, event.press, event.at);
    case 'pasted':
      return step(pasted(state, event.text));
    case 'run':
      return hearRun({ ...state, now: event.at }, event.told, event.at);
    case 'not-taken':
      return step(notTaken(state, event.ticket, event.failure));
    case 'question':
      return step(take(state, event.asked, event.at));
    case 'sessions':
      return step({ ...state, focus: { at: 'picker', picker: pickerOf(event.sessions) } });
    case 'opened':
      return step(withSession(state, event.session, event.prompts));
    case 'renamed':
      return step({ ...state, session: event.session });
    case 'page':
      return step(tellItem(state, { kind: 'page', lines: event.lines }));
    case 'told':
      return step(tellItem(state, { kind: 'note', tone: 'quiet', text: inline(event.text) }));
    case 'model': {
      const text = `the next prompt asks \`${inline(event.name)}\``;
      return step(tellItem({ ...state, model: event.name }, { kind: 'note', tone: 'quiet', text }));
    }
    case 'failed':
      return step(tellItem(state, failureItem(event.failure)));
    case 'away':
      return step({ ...state, away: event.why });
    case 'back':
      return step({ ...state, away: undefined });
    case 'ticked':
      return step(showsTime(state) ? { ...state, now: event.at } : state);
    case 'printed': {
      const transcript = letGo(state.transcript, event.itemId);
      return step(transcript === state.transcript ? state : { ...state, transcript });
    }
  }
}

/** Where nothing counts seconds, nothing has to be drawn anew for them. */
function showsTime({ run, questions, now, leaveUntil }: ChatState): boolean {
  return run !== undefined || questions.length > 0 || now < leaveUntil;
}

/** How long a Ctrl-C is remembered that had nothing to cancel. */
const LEAVE_MS = 2000;

function pressed(before: ChatState, press: Press, at: number): Step {
  if (press.ctrl === true && press.text === 'c') return interrupted(before, at);
  // Whoever goes on typing stays.
  const state = { ...before, leaveUntil: 0 };
  const { focus } = state;
  switch (focus.at) {
    case 'draft':
      return pressOnDraft(state, press);
    case 'question':
      return pressOnQuestion(state, press, at);
    case 'calls':
      return pressOnCalls(state, focus, press);
    case 'picker':
      return pressOnPicker(state, focus.picker, press);
  }
}

/** The first Ctrl-C cancels, at whatever it comes; one that has nothing left to cancel leaves. */
function interrupted(state: ChatState, at: number): Step {
  if (state.run !== undefined) {
    return state.run.isCancelling ? step(state, { kind: 'leave' }) : cancelRun(state);
  }
  if (state.queue.some(({ isUnwanted }) => !isUnwanted)) return cancelRun(state);
  if (at < state.leaveUntil) return step(state, { kind: 'leave' });
  return step({ ...state, draft: draftOf(''), leaveUntil: at + LEAVE_MS });
}

function pasted(state: ChatState, text: string): ChatState {
  switch (state.focus.at) {
    case 'draft':
    case 'calls':
      return type({ ...state, focus: { at: 'draft' } }, text);
    case 'question':
      return pasteOnQuestion(state, text);
    case 'picker':
      return state;
  }
}

/** What was typed is not lost: it stands there again, unless something else does already. */
function notTaken(state: ChatState, ticket: number, failure: Failure): ChatState {
  const prompt = state.queue.find((one) => one.ticket === ticket)?.prompt ?? '';
  const queue = state.queue.filter((one) => one.ticket !== ticket);
  const draft = state.draft.text === '' ? draftOf(prompt) : state.draft;
  return tellItem({ ...state, queue, draft }, failureItem(failure));
}

function failureItem({ message, help }: Failure): ItemBody {
  const shownHelp = inline(help);
  return {
    kind: 'note',
    tone: 'bad',
    text: inline(message),
    ...(shownHelp === '' ? {} : { help: shownHelp }),
  };
}

function tellItem(state: ChatState, body: ItemBody): ChatState {
  return { ...state, transcript: tell(state.transcript, body) };
}
