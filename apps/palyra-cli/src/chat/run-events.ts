import { plural } from '@palyra/client';
import {
  ApprovalStatus,
  type ModelMessage,
  type RunEnded,
  RunStatus,
  type ToolProposal,
} from '@palyra/protocol';
import { askedAgainWords, saidByWords } from '../render/asked-again.ts';
import { isResumable } from '../render/resumable.ts';
import { inline, stopReasonWord } from '../render/words.ts';
import { hearCall, isOver } from './call-state.ts';
import {
  type ChatState,
  ON_DRAFT,
  type Step,
  type ToldEvent,
  type Wish,
  step,
} from './chat-state.ts';
import { drop } from './question.ts';
import { type Heard, SILENCE, hearDelta, hearMessage, hearThought, openText } from './speech.ts';
import { type ItemBody, tell } from './transcript.ts';

/** What an event of a run changes. */
export function hearRun(before: ChatState, told: ToldEvent, at: number): Step {
  const { event } = told;
  const state = { ...before, lastRunId: event.runId, calls: hearCall(before.calls, event, at) };
  const { event: happening } = event;
  switch (happening.case) {
    case 'runQueued':
      return step({ ...before, queue: taken(before, told.ticket) });
    case 'runStarted': {
      const begun = begin(state, told, { prompt: happening.value.prompt, at });
      const queued = before.queue.find(({ ticket }) => ticket === told.ticket);
      return queued?.isUnwanted === true ? cancelRun(begun) : step(begun);
    }
    case 'runResumed':
      return step(activate(note(state, 'the run goes on where it stopped'), event.runId, at));
    case 'textDelta':
      return step(say(state, hearDelta(state.speech, happening.value.text)));
    case 'reasoningDelta':
      return step({ ...state, speech: hearThought(state.speech, happening.value.text) });
    case 'modelMessage':
      return step(hearWhole(state, happening.value));
    case 'modelAskedAgain': {
      const text = askedAgainWords(happening.value);
      return step(note({ ...state, speech: SILENCE }, text));
    }
    case 'approvalChanged': {
      const { approvalId, status, voice } = happening.value;
      if (status !== ApprovalStatus.PENDING) return step(drop(state, approvalId, at));
      const isNew = told.from === 'live' && voice === undefined;
      return isNew ? step(state, { kind: 'ask', approvalId }) : step(state);
    }
    case 'toolAttested':
      return step(tellCall(state, happening.value.callId));
    case 'runCompacted':
      return step(note(state, 'the older part of the conversation is told to the model in short'));
    case 'runEnded':
      return step(end(state, event.runId, endBody(happening.value)));
    case 'runInterrupted':
      return step(end(state, event.runId, interruptedBody(happening.value.reason)));
    case 'toolProposed':
      return step(withWritten(state, happening.value));
    case 'toolDecided':
    case 'toolStarted':
    case 'toolOutput':
    case 'toolFinished':
    case 'modelSpoken':
    case 'sandboxConnected':
    case 'fileChanged':
    case undefined:
  }
  return step(state);
}

/** Cancels what goes on, or what is about to: that is cancelled once it has a name. */
export function cancelRun(state: ChatState): Step {
  const { run } = state;
  if (run === undefined) {
    const queue = state.queue.map((one) => ({ ...one, isUnwanted: true }));
    return step({ ...state, queue });
  }
  const wish: Wish = { kind: 'cancel', runId: run.runId };
  return step({ ...state, run: { ...run, isCancelling: true } }, wish);
}

function taken({ queue }: ChatState, ticket: number | undefined): ChatState['queue'] {
  return queue.map((one) => (one.ticket === ticket ? { ...one, isTaken: true } : one));
}

interface Beginning {
  readonly prompt: string;
  readonly at: number;
}

function begin(
  state: ChatState,
  { event, ticket }: ToldEvent,
  { prompt, at }: Beginning,
): ChatState {
  const transcript = tell(state.transcript, { kind: 'prompt', text: prompt });
  const queue = state.queue.filter((one) => one.ticket !== ticket);
  return activate({ ...state, transcript, queue }, event.runId, at);
}

function activate(state: ChatState, runId: string, at: number): ChatState {
  const run = { runId, startedAt: at, isCancelling: false };
  return { ...state, run, speech: SILENCE, leaveUntil: 0 };
}

function say(state: ChatState, { speech, done }: Heard): ChatState {
  const items = done
    .filter((markdown) => markdown.trim() !== '')
    .map((markdown) => ({ kind: 'speech', markdown }) as const);
  return { ...state, speech, transcript: items.reduce(tell, state.transcript) };
}

function hearWhole(
  state: ChatState,
  { text, toolCalls, isPartial, usage }: ModelMessage,
): ChatState {
  const written = new Map(toolCalls.map(({ callId, argumentsJson }) => [callId, argumentsJson]));
  const said = saidByWords(usage);
  const spoken = say({ ...state, written }, hearMessage(state.speech, text));
  const heard = said === '' ? spoken : note(spoken, said);
  const isNothing = text.trim() === '' && toolCalls.length === 0 && !isPartial;
  if (isNothing) return note(heard, 'the model said nothing');
  return isPartial ? note(heard, 'the answer broke off here') : heard;
}

function withWritten(state: ChatState, { callId, arguments: read }: ToolProposal): ChatState {
  const written = state.written.get(callId);
  const isRead = Object.keys(read ?? {}).length > 0 || written?.trim() === '{}';
  if (written === undefined || isRead) return state;
  const calls = state.calls.map((call) => (call.callId === callId ? { ...call, written } : call));
  return { ...state, calls };
}

function tellCall(state: ChatState, callId: string): ChatState {
  const call = state.calls.find((one) => one.callId === callId);
  if (call === undefined) return state;
  return { ...state, transcript: tell(state.transcript, { kind: 'call', call }) };
}

function note(state: ChatState, text: string): ChatState {
  return { ...state, transcript: tell(state.transcript, { kind: 'note', tone: 'quiet', text }) };
}

/** What was half told is told as far as it came. */
function end(state: ChatState, runId: string, body: ItemBody): ChatState {
  const spoken = say(state, { speech: SILENCE, done: [openText(state.speech)] });
  const unfinished = state.calls.filter((call) => call.proposal.runId === runId && !isOver(call));
  const items: readonly ItemBody[] = [
    ...unfinished.map((call) => ({ kind: 'call', call }) as const),
    body,
  ];
  const asked = state.questions.filter(({ shown }) => shown.approval.proposal?.runId === runId);
  const isAsked = asked.length > 0 && state.focus.at === 'question';
  return {
    ...spoken,
    run: undefined,
    transcript: items.reduce(tell, spoken.transcript),
    questions: state.questions.filter((question) => !asked.includes(question)),
    focus: isAsked ? ON_DRAFT : state.focus,
  };
}

function interruptedBody(reason: string): ItemBody {
  const text = `the run was interrupted: ${inline(reason)}`;
  return { kind: 'note', tone: 'warning', text, help: '`/resume` takes it up again' };
}

function endBody(ended: RunEnded): ItemBody {
  const { status, error } = ended;
  const spent = spentWords(ended);
  switch (status) {
    case RunStatus.COMPLETED:
      return { kind: 'note', tone: 'quiet', text: `done${spent}` };
    case RunStatus.CANCELLED:
      return { kind: 'note', tone: 'warning', text: `cancelled${spent}` };
    case RunStatus.FAILED:
    case RunStatus.ACTIVE:
    case RunStatus.QUEUED:
    case RunStatus.INTERRUPTED:
    case RunStatus.UNSPECIFIED:
  }
  const why = error === undefined ? stopReasonWord(ended.stopReason) : inline(error.message);
  const again = isResumable(ended) ? ['`/resume` asks it again'] : [];
  const help = [inline(error?.help ?? ''), ...again].filter((text) => text !== '').join('; ');
  return {
    kind: 'note',
    tone: 'bad',
    text: `failed: ${why}${spent}`,
    ...(help === '' ? {} : { help }),
  };
}

const MICRO = 1_000_000;

function spentWords({ spent }: RunEnded): string {
  if (spent === undefined) return '';
  const { toolCalls, tokens, costMicroUsd, wallMs } = spent;
  const words = [
    ...(toolCalls === 0 ? [] : [plural(toolCalls, 'call')]),
    ...(tokens === 0n ? [] : [plural(Number(tokens), 'token')]),
    ...(costMicroUsd === undefined ? [] : [`$${(Number(costMicroUsd) / MICRO).toFixed(4)}`]),
    `${(Number(wallMs) / 1000).toFixed(1)} s`,
  ];
  return ` · ${words.join(' · ')}`;
}
