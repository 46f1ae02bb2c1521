import type { ToolProposal, ToolResult } from '@palyra/protocol';
import type { ModelToolCall } from '../../ports.ts';
import { propose } from '../../tool-call/1-proposal.ts';
import { type ToolCallContext, callTool } from '../../tool-call/tool-call.ts';
import { effectsOf } from './effects.ts';
import { Lanes } from './lanes.ts';

export interface MadeCall {
  readonly proposal: ToolProposal;
  readonly result: ToolResult;
}

/**
 * Calls of one turn that are judged, asked about or run at once. No more than tries at a record that
 * all of them want, such as a grant: each time one of them gets it.
 */
const MAX_UNDER_WAY = 8;

/**
 * Makes the calls of one turn, beside one another where their effects cannot meet.
 * Contract: as of `callTool`; results are in the order of the calls. When one throws, it does so after
 * those that were under way are over.
 */
export async function callAll(
  calls: readonly ModelToolCall[],
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<readonly MadeCall[]> {
  const { run, parts, budget } = context;
  const proposed = calls.map((call) => propose(call, run, parts.catalogue));
  const lanes = new Lanes(
    proposed.map((one) => effectsOf(one, parts.catalogue.find(one.proposal.tool))),
    (task) => budget.watch.wait(task),
  );
  const results = await inOrder(calls, async (call, place) => {
    signal.throwIfAborted();
    return await callTool(call, { ...context, lane: lanes.laneOf(place) }, signal);
  });
  return results.map((result, place) => {
    const proposal = proposed[place]?.proposal;
    if (proposal === undefined) throw new RangeError('a result belongs to no call');
    return { proposal, result };
  });
}

/** Begins them in order, at most so many at once; when one throws, no other is begun. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  task: (item: Item, place: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const waiting = items.entries();
  const results: Result[] = [];
  let hasFailed = false;
  const work = async () => {
    for (const [place, item] of waiting) {
      if (hasFailed) return;
      try {
        results[place] = await task(item, place);
      } catch (reason) {
        hasFailed = true;
        throw reason;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: MAX_UNDER_WAY }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
