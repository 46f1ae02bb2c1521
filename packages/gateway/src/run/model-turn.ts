import { create } from '@bufbuild/protobuf';
import type { Ids } from '@palyra/kernel';
import { type ModelMessage, ModelMessageSchema, ToolCallRequestSchema } from '@palyra/protocol';
import type { Keepsake, ModelEvent, ModelToolCall, Turn } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import type { ToolCallContext } from '../tool-call/tool-call.ts';
import { makeRoom, roomFor } from './context/make-room.ts';
import { tokensOf } from './context/tokens.ts';
import { limitReached } from './limit-reached.ts';
import { TurnCount } from './model-usage.ts';
import { ACTORS, draftOf } from './run-note.ts';
import type { RunStream } from './run-stream.ts';
import { SYSTEM_PROMPT } from './system-prompt.ts';

/** What the model said in one turn. */
export interface SaidTurn {
  readonly message: ModelMessage;
  keepsake: Keepsake | undefined;
}

/**
 * One turn of the model, journaled whole; `undefined` when it has nothing to say. When it is cut off
 * while it speaks, what was heard is journaled as that.
 * Contract: what no longer fits in `turns` is put in short there, and stays so.
 */
export async function takeTurn(
  turns: Turn[],
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<SaidTurn | undefined> {
  if (tokensOf(turns) > roomFor(context)) {
    turns.splice(0, turns.length, ...(await makeRoom(context, signal)));
  }
  const said: SaidTurn = { message: create(ModelMessageSchema), keepsake: undefined };
  try {
    await listen({ turns, said }, context, signal);
  } catch (reason) {
    await note({ ...said.message, toolCalls: [], isPartial: true }, context);
    throw reason;
  }
  return (await note(said.message, context)) ? said : undefined;
}

/** Contract: false when there is nothing to note. */
async function note(message: ModelMessage, context: ToolCallContext): Promise<boolean> {
  if (message.text === '' && message.toolCalls.length === 0) return false;
  const draft = draftOf(context.run, { kind: 'model.message', actor: ACTORS.agent, message });
  publish(await record([draft], context.parts.journal), context.stream);
  return true;
}

/** The turn as the model is told of it later. */
export function modelTurn(
  { message, keepsake }: SaidTurn,
  toolCalls: readonly ModelToolCall[],
): Turn {
  const turn = { role: 'model', text: message.text, toolCalls } as const;
  return keepsake === undefined ? turn : { ...turn, keepsake };
}

async function listen(
  { turns, said }: { readonly turns: readonly Turn[]; readonly said: SaidTurn },
  { parts, run, stream, budget }: ToolCallContext,
  signal: AbortSignal,
): Promise<void> {
  const asked = {
    model: run.model,
    system: SYSTEM_PROMPT,
    conversation: turns,
    tools: parts.catalogue.offered(),
  };
  const count = new TurnCount(asked, parts.model);
  const maxOutputTokens = await budget.reserveTurn(count.inputTokens);
  const { max_turn_bytes: limit } = parts.settings;
  try {
    for await (const event of parts.model.reply({ ...asked, maxOutputTokens }, signal)) {
      count.hear(event);
      signal.throwIfAborted();
      if (count.bytes > limit) throw limitReached('runs.max_turn_bytes', limit);
      hear(event, said, { ids: parts.ids, stream });
    }
  } finally {
    const { usage } = count;
    if (usage !== undefined) said.message.usage = usage;
    budget.settleTurn(usage);
  }
  signal.throwIfAborted();
}

function hear(
  event: ModelEvent,
  said: SaidTurn,
  { ids, stream }: { readonly ids: Ids; readonly stream: RunStream },
): void {
  const { message } = said;
  switch (event.kind) {
    case 'text': {
      const text = event.text.toWellFormed();
      message.text += text;
      stream.speak(text);
      return;
    }
    case 'reasoning':
      // Shown and not kept: nothing may rest on what was only thought.
      stream.think(event.text.toWellFormed());
      return;
    case 'keepsake':
      said.keepsake = event.keepsake;
      return;
    case 'usage':
      return;
    case 'tool-call': {
      const callId = ids.next<'call'>();
      const tool = event.tool.toWellFormed();
      const argumentsJson = event.argumentsJson.toWellFormed();
      message.toolCalls.push(create(ToolCallRequestSchema, { callId, tool, argumentsJson }));
    }
  }
}
