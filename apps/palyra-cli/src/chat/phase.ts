import type { Tone } from '../terminal.ts';
import { inline } from '../render/words.ts';
import { isOver, isWaiting } from './call-state.ts';
import type { CallState } from './call-state.ts';
import type { ChatState } from './chat-state.ts';

export interface Phase {
  readonly tone: Tone;
  readonly text: string;
}

/** What is going on, in a few words. */
export function phaseOf(state: ChatState): Phase {
  const { run, away, queue, questions, focus, now } = state;
  if (away !== undefined) return { tone: 'bad', text: away };
  if (now < state.leaveUntil) return { tone: 'warning', text: 'Ctrl-C again leaves' };
  if (questions.length > 0) {
    const text = focus.at === 'question' ? 'your answer is needed' : 'Tab answers the question';
    return { tone: 'warning', text };
  }
  if (run?.isCancelling === true)
    return { tone: 'warning', text: 'cancelling; Ctrl-C again leaves' };
  if (run === undefined) {
    if (queue.some(({ isUnwanted }) => isUnwanted)) return { tone: 'warning', text: 'cancelling' };
    return queue.length > 0
      ? { tone: 'accent', text: 'sending' }
      : { tone: 'quiet', text: 'ready' };
  }
  return { tone: 'accent', text: `${workWords(state)} · ${secondsSince(run.startedAt, now)} s` };
}

/** Calls of the run that are not over, oldest first. */
export function liveCalls({ calls, run }: ChatState): readonly CallState[] {
  return calls.filter((call) => call.proposal.runId === run?.runId && !isOver(call));
}

function workWords(state: ChatState): string {
  const [call] = liveCalls(state);
  if (call !== undefined) {
    return isWaiting(call) ? 'waits for an answer' : `${inline(call.proposal.tool)} is at work`;
  }
  return state.speech.said === '' ? 'the model thinks' : 'the model speaks';
}

function secondsSince(start: number, now: number): number {
  return Math.max(Math.floor((now - start) / 1000), 0);
}
