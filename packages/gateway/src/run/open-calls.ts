import { PalyraError } from '@palyra/kernel';
import type { ToolResult } from '@palyra/protocol';
import type { Turn } from '../ports.ts';
import { unproven } from '../tool-call/4-sandbox.ts';
import { type ToolCallContext, conclude } from '../tool-call/tool-call.ts';
import { toolTurn } from './context/tell.ts';
import type { StartedCall } from './context/units.ts';
import type { OpenCall } from './conversation.ts';
import { callAll } from './parallel/call-all.ts';

/**
 * Calls that a crash left without a result. One that had not started goes through the pipeline
 * again, from its first stage; one that had is never run twice: its outcome is unknown, and the
 * journal and the model are told so.
 */
export async function settleOpenCalls(
  open: readonly OpenCall[],
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  for (const { started } of open) {
    if (started !== undefined) turns.push(toolTurn(await recordUnknown(started, context)));
  }
  const unmade = open.filter(({ started }) => started === undefined).map(({ call }) => call);
  const made = await callAll(unmade, { ...context, wasCutOff: true }, signal);
  return [...turns, ...made.map(({ result }) => toolTurn(result))];
}

async function recordUnknown(started: StartedCall, context: ToolCallContext): Promise<ToolResult> {
  const fault = new PalyraError(
    'UNEXPECTED',
    'the daemon stopped while the call ran; whether it took effect is unknown',
    { help: 'look at what the call would have changed before asking for it again' },
  );
  const { executor, reached } = started;
  const execution = { ...unproven(fault, executor), reached };
  return await conclude({ ...started, execution }, context);
}
