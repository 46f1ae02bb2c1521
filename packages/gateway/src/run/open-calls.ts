import { PalyraError } from '@palyra/kernel';
import type { ToolResult } from '@palyra/protocol';
import type { Turn } from '../ports.ts';
import { unproven } from '../tool-call/4-sandbox.ts';
import { type ToolCallContext, conclude } from '../tool-call/tool-call.ts';
import { toolTurn } from './context/tell.ts';
import type { StartedCall } from './context/units.ts';
import type { Recollection } from './conversation.ts';
import { type CutOff, takeBackHalfMade } from './half-made.ts';
import { callAll } from './parallel/call-all.ts';

/**
 * Calls that a crash left without a result. One that had not started goes through the pipeline
 * again, from its first stage; one that had is never run twice: its outcome is unknown, and the
 * journal and the model are told so.
 */
export async function settleOpenCalls(
  { open, entries }: Pick<Recollection, 'open' | 'entries'>,
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  const left = await takeBackHalfMade(context.run, open.length === 0 ? [] : entries, context.parts);
  for (const { call, started } of open) {
    if (started === undefined) continue;
    const fault = cutOffFault(left.get(call.callId));
    turns.push(toolTurn(await recordUnknown(started, fault, context)));
  }
  const unmade = open.filter(({ started }) => started === undefined).map(({ call }) => call);
  const made = await callAll(unmade, { ...context, wasCutOff: true }, signal);
  return [...turns, ...made.map(({ result }) => toolTurn(result))];
}

async function recordUnknown(
  started: StartedCall,
  fault: PalyraError,
  context: ToolCallContext,
): Promise<ToolResult> {
  const { executor, reached } = started;
  const execution = { ...unproven(fault, executor), reached };
  return await conclude({ ...started, execution }, context);
}

/** Of a call that changes files by itself the files tell; of any other nothing does. */
function cutOffFault(left: CutOff | undefined): PalyraError {
  const cause = 'the daemon stopped while the call ran';
  switch (left) {
    case 'unmade':
      return new PalyraError('UNEXPECTED', `${cause}; its files are as they were before it`, {
        help: 'ask for it again if it is still wanted',
      });
    case 'made':
      return new PalyraError('UNEXPECTED', `${cause}; its files are as it wanted them`, {
        help: 'read them before asking for more',
      });
    case 'unclear':
    case undefined:
      return new PalyraError('UNEXPECTED', `${cause}; whether it took effect is unknown`, {
        help: 'look at what the call would have changed before asking for it again',
      });
  }
}
