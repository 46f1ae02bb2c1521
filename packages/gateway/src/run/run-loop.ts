import type { Turn } from '../ports.ts';
import { type ToolCallContext, callTool } from '../tool-call/tool-call.ts';
import { type Recollection, toolCallsOf, toolTurn } from './conversation.ts';
import { limitReached } from './limit-reached.ts';
import { takeTurn } from './model-turn.ts';
import { settleOpenCalls } from './open-calls.ts';

/**
 * The model speaks, its tool calls are made, it hears the results, until it asks for nothing more.
 * Contract: returns when the run is complete; throws the signal's reason when it was stopped, and
 * a PalyraError when a limit was reached, the model failed or the journal cannot be written.
 */
export async function runLoop(
  context: ToolCallContext,
  past: Recollection,
  signal: AbortSignal,
): Promise<void> {
  const { settings } = context.parts;
  const turns: Turn[] = [...past.turns];
  let toolCalls = past.toolCalls;
  turns.push(...(await settleOpenCalls(past.open, context, signal)));

  for (let turn = past.modelTurns; turn < settings.max_turns; turn += 1) {
    const message = await takeTurn(turns, context, signal);
    if (message === undefined) return;
    const calls = toolCallsOf(message);
    turns.push({ role: 'model', text: message.text, toolCalls: calls });
    if (calls.length === 0) return;

    for (const call of calls) {
      toolCalls += 1;
      if (toolCalls > settings.max_tool_calls)
        throw limitReached('runs.max_tool_calls', settings.max_tool_calls);
      const result = await callTool(call, context, signal);
      turns.push(toolTurn(result));
      signal.throwIfAborted();
    }
  }
  throw limitReached('runs.max_turns', settings.max_turns);
}
