import type {
  FileChange,
  ModelMessage,
  RunEvent,
  RunStarted,
  ToolOutputDelta,
} from '@palyra/protocol';
import { piecesOf } from '../../text/pieces.ts';
import {
  type CallStory,
  askedAbout,
  finished,
  openCall,
  withQuestionOf,
  withChange,
  withConnection,
} from './call.ts';
import { addOutput, outputAfter } from './output.ts';
import { MAX_ITEMS, type RunStory, type StoryItem } from './run-story.ts';
import { hearDelta, hearThought, hush, nextMessage } from './speech.ts';
import { timeOfId } from './time-of-id.ts';

/** Contract: the story before stays as it is. One copy for all of the events, however many. */
export function tellAll(before: RunStory, events: readonly RunEvent[]): RunStory {
  const draft: Draft = { ...before, items: [...before.items], calls: new Map(before.calls) };
  for (const event of events) tell(draft, event);
  const left = Math.max(0, draft.items.length - MAX_ITEMS);
  if (left === 0) return draft;
  for (const item of draft.items.slice(0, left)) {
    if (item.kind === 'call') draft.calls.delete(item.callId);
  }
  return { ...draft, items: draft.items.slice(left), itemsLeftOut: before.itemsLeftOut + left };
}

/** A stream that is opened again begins with everything that is being said. */
export function tellAgain(before: RunStory): RunStory {
  return { ...before, speech: hush(before.speech), delay: undefined };
}

type Draft = { -readonly [Field in keyof RunStory]: RunStory[Field] } & {
  items: StoryItem[];
  calls: Map<string, CallStory>;
};

function tell(draft: Draft, event: RunEvent): void {
  const { sequence } = event;
  // Recorded things may be told twice after a break; words on their way have no number.
  if (sequence !== 0n && sequence <= draft.lastSequence) return;
  if (sequence !== 0n) draft.lastSequence = sequence;
  if (event.event.case !== 'modelAskedAgain') draft.delay = undefined;
  tellRun(draft, event);
  tellCall(draft, event);
}

function tellRun(draft: Draft, { event, sequence, entryId }: RunEvent): void {
  const key = String(sequence);
  switch (event.case) {
    case 'runQueued':
      return begin(draft, event.value, { key, at: timeOfId(entryId), phase: 'queued' });
    case 'runStarted':
      return begin(draft, event.value, { key, at: timeOfId(entryId), phase: 'active' });
    case 'runResumed':
      turn(draft, 'active');
      draft.items.push({ kind: 'note', key, text: resumedWords(event.value.turns) });
      return;
    case 'textDelta':
      draft.speech = hearDelta(draft.speech, event.value.text);
      return;
    case 'reasoningDelta':
      draft.speech = hearThought(draft.speech, event.value.text);
      return;
    case 'modelAskedAgain': {
      const { model, waitMs, reason } = event.value;
      draft.delay = { model, waitMs: Number(waitMs), reason };
      draft.speech = hush(draft.speech);
      return;
    }
    case 'modelMessage':
      return hear(draft, event.value, key);
    case 'runCompacted': {
      const { summary, tokensBefore, tokensAfter } = event.value;
      const compaction = { summary, tokensBefore, tokensAfter };
      draft.items.push({ kind: 'compacted', key, compaction });
      return;
    }
    case 'runInterrupted':
      turn(draft, 'interrupted');
      draft.items.push({ kind: 'interrupted', key, reason: event.value.reason });
      return;
    case 'runEnded': {
      const { status, stopReason, error, spent } = event.value;
      draft.phase = 'over';
      draft.speech = hush(draft.speech);
      draft.items.push({ kind: 'ended', key, ending: { status, stopReason, error, spent } });
      return;
    }
    // Comes again, whole, as a message.
    case 'modelSpoken':
    // Told by the card of its call.
    case 'toolProposed':
    case 'toolDecided':
    case 'approvalChanged':
    case 'toolStarted':
    case 'toolOutput':
    case 'toolFinished':
    case 'toolAttested':
    case 'sandboxConnected':
    case 'fileChanged':
    // Of a newer gateway.
    case undefined:
  }
}

function tellCall(draft: Draft, { event, sequence, runId }: RunEvent): void {
  switch (event.case) {
    case 'toolProposed': {
      const { callId } = event.value;
      const before = draft.calls.get(callId);
      if (before === undefined) draft.items.push({ kind: 'call', key: `call ${callId}`, callId });
      const call = openCall(event.value, { runId, sequence, written: draft.written.get(callId) });
      // A run that goes on proposes it again, and the question about it may still be open.
      draft.calls.set(callId, before === undefined ? call : withQuestionOf(call, before));
      return;
    }
    case 'toolDecided':
      return change(draft, event.value.callId, (call) => ({ ...call, decision: event.value }));
    case 'approvalChanged':
      return change(draft, event.value.callId, (call) => askedAbout(call, event.value));
    case 'toolStarted':
      return change(draft, event.value.callId, (call) => ({
        ...call,
        executor: event.value.executor,
      }));
    case 'toolOutput':
      return print(draft, event.value);
    case 'sandboxConnected':
      return change(draft, event.value.callId, (call) => withConnection(call, event.value));
    case 'fileChanged':
      return changeFile(draft, event.value, String(sequence));
    case 'toolFinished':
      return change(draft, event.value.callId, (call) => finished(call, event.value, sequence));
    case 'toolAttested':
      return change(draft, event.value.callId, (call) => ({ ...call, attestation: event.value }));
    case 'runQueued':
    case 'runStarted':
    case 'runResumed':
    case 'runInterrupted':
    case 'runEnded':
    case 'runCompacted':
    case 'textDelta':
    case 'reasoningDelta':
    case 'modelMessage':
    case 'modelSpoken':
    case 'modelAskedAgain':
    case undefined:
  }
}

/** Contract: of a call that was never proposed, or is no longer kept, nothing is told. */
function change(draft: Draft, callId: string, by: (call: CallStory) => CallStory): void {
  const call = draft.calls.get(callId);
  if (call !== undefined) draft.calls.set(callId, by(call));
}

function print(draft: Draft, { callId, isErrorOutput, data, leftOutBytes }: ToolOutputDelta): void {
  const piece = { isErrorOutput, bytes: data };
  change(draft, callId, (call) => {
    if (call.result !== undefined) return call;
    const before = leftOutBytes === undefined ? call.live : outputAfter(Number(leftOutBytes));
    return { ...call, live: addOutput(before, piece) };
  });
}

/** Its calls that are not over turn with it. */
function turn(draft: Draft, phase: 'active' | 'interrupted'): void {
  draft.phase = phase;
  draft.speech = hush(draft.speech);
  const isInterrupted = phase === 'interrupted';
  for (const [callId, call] of draft.calls) {
    if (call.result === undefined) draft.calls.set(callId, { ...call, isInterrupted });
  }
}

/** What changes a file after its call is over, or for no call, is an undo. */
function changeFile(draft: Draft, made: FileChange, key: string): void {
  const call = draft.calls.get(made.callId);
  if (call !== undefined && call.result === undefined) {
    draft.calls.set(made.callId, withChange(call, made));
    return;
  }
  const last = draft.items.at(-1);
  if (last?.kind !== 'restored') {
    draft.items.push({ kind: 'restored', key, paths: [made.path] });
    return;
  }
  draft.items[draft.items.length - 1] = { ...last, paths: [...last.paths, made.path] };
}

interface Opening {
  readonly key: string;
  readonly at: string;
  readonly phase: 'queued' | 'active';
}

/** A run that waited is told of twice, and asked for once. */
function begin(draft: Draft, started: RunStarted, { key, at, phase }: Opening): void {
  const { model, principal, channel, deviceId, prompt, images, workspace } = started;
  draft.phase = phase;
  draft.about = { model, principal, channel, deviceId, workspace: workspace?.path ?? '' };
  const isAsked = draft.items.some(({ kind }) => kind === 'prompt');
  if (!isAsked) draft.items.push({ kind: 'prompt', key, text: prompt, images, at });
}

/** Whoever joined in the middle heard a part; the message is the whole, parted in the same places. */
function hear(draft: Draft, heard: ModelMessage, key: string): void {
  const { text, toolCalls, isPartial, usage } = heard;
  const { message, thought } = draft.speech;
  if (thought !== '')
    draft.items.push({ kind: 'thought', key: thoughtKey(message), text: thought });
  const pieces = piecesOf(text);
  for (const [place, markdown] of pieces.entries()) {
    draft.items.push({ kind: 'text', key: pieceKey(message, place), markdown });
  }
  if (isPartial) draft.items.push({ kind: 'cut-off', key: `${key} cut off` });
  if (pieces.length === 0 && toolCalls.length === 0 && !isPartial) {
    draft.items.push({ kind: 'note', key, text: 'The model said nothing.' });
  }
  const other = usage?.model ?? '';
  if (other !== '') {
    const said = `Said by ${other}, which was asked in place of the model of this run.`;
    draft.items.push({ kind: 'note', key: `${key} who`, text: said });
  }
  draft.written = new Map(toolCalls.map(({ callId, argumentsJson }) => [callId, argumentsJson]));
  draft.speech = nextMessage(draft.speech);
}

export function pieceKey(message: number, place: number): string {
  return `text ${message}.${place}`;
}

export function thoughtKey(message: number): string {
  return `thought ${message}`;
}

function resumedWords(turns: number): string {
  return `The run goes on where it stopped, after ${turns} ${turns === 1 ? 'turn' : 'turns'}.`;
}
