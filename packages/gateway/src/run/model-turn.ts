import type { EntryDraft } from '@palyra/kernel';
import type { ModelMessage } from '@palyra/protocol';
import type { Keepsake, ModelToolCall, Turn } from '../ports.ts';
import { makeRoom } from './context/make-room.ts';
import { roomFor } from './context/room.ts';
import { tokensOf } from './context/tokens.ts';
import { toolCallsOf } from './context/units.ts';
import { expectCalls } from './expected-calls.ts';
import { HeardAnswer } from './heard-answer.ts';
import type { CountedRequest } from './model-usage.ts';
import type { RunContext } from './run-context.ts';
import { SYSTEM_PROMPT } from './system-prompt.ts';

/** What the model said in one turn. */
export interface SaidTurn {
  readonly message: ModelMessage;
  readonly keepsake: Keepsake | undefined;
  /** Not on record yet: whatever comes next is recorded with it, or after it. */
  readonly note: EntryDraft;
}

/**
 * One turn of the model, to be journaled whole; `undefined` when it has nothing to say. Where an answer
 * breaks off, what was heard is journaled as that, whether or not it is then asked for anew.
 * Contract: what no longer fits in `turns` is put in short there, and stays so.
 */
export async function takeTurn(
  turns: Turn[],
  context: RunContext,
  signal: AbortSignal,
): Promise<SaidTurn | undefined> {
  if (tokensOf(turns) > roomFor(context.parts)) {
    turns.splice(0, turns.length, ...(await makeRoom(context, signal)));
  }
  const { run, parts } = context;
  const asked = {
    model: run.model,
    system: SYSTEM_PROMPT,
    conversation: turns,
    tools: parts.catalogue.offered(),
  };
  const answer = await listen(asked, context, signal);
  expectCalls(toolCallsOf(answer.message), context);
  const note = answer.complete();
  const { message, keepsake } = answer;
  return note === undefined ? undefined : { message, keepsake, note };
}

/** The turn as the model is told of it later. */
export function modelTurn(
  { message, keepsake }: Pick<SaidTurn, 'message' | 'keepsake'>,
  toolCalls: readonly ModelToolCall[],
): Turn {
  const turn = { role: 'model', text: message.text, toolCalls } as const;
  return keepsake === undefined ? turn : { ...turn, keepsake };
}

/** Contract: gives the answer that is whole; no call of another one is ever made. */
async function listen(
  asked: CountedRequest,
  context: RunContext,
  signal: AbortSignal,
): Promise<HeardAnswer> {
  let answer = await HeardAnswer.begin(asked, context);
  const request = {
    ...asked,
    get maxOutputTokens() {
      return answer.maxOutputTokens;
    },
  };
  try {
    for await (const event of context.parts.model.reply(request, signal)) {
      if (event.kind === 'nothing-used') {
        answer.useNothing();
        continue;
      }
      if (event.kind !== 'asked-again') {
        await answer.hear(event, signal);
        continue;
      }
      if (answer.hasBegun) {
        await answer.breakOff();
        answer = await HeardAnswer.begin(asked, context);
      } else {
        answer.askAgain();
      }
      answer.askOf(event.model);
      context.stream.delay(event);
    }
    signal.throwIfAborted();
    return answer;
  } catch (reason) {
    await answer.breakOff();
    throw reason;
  }
}
