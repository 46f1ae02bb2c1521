import { create } from '@bufbuild/protobuf';
import { RunCompactedSchema } from '@palyra/protocol';
import type { Turn } from '../../ports.ts';
import { record } from '../../tool-call/6-journal.ts';
import { limitReached } from '../limit-reached.ts';
import type { RunContext } from '../run-context.ts';
import { ACTORS, draftOf } from '../run-note.ts';
import { type Cut, chooseCut } from './cut.ts';
import { fit } from './fit.ts';
import { type Memory, withSummary } from './memory.ts';
import { remember } from './remember.ts';
import { leavesRoom, roomFor } from './room.ts';
import { type ShortTale, tellInShort } from './summary.ts';
import { ALL_WHOLE, OLD_SHORTENED, tell } from './tell.ts';
import { tokensOf } from './tokens.ts';

/**
 * A conversation that has grown too long, made to fit: first by telling less of what tools returned
 * long ago, then by having its older part told in short, which is recorded. The journal keeps every
 * word. Contract: what comes back fits; throws RUN_LIMIT_REACHED when nothing does.
 */
export async function makeRoom(context: RunContext, signal: AbortSignal): Promise<readonly Turn[]> {
  const room = roomFor(context.parts);
  const { memory, taint } = await remember(context.run, context.parts);
  const shorter = tell(memory, OLD_SHORTENED);
  if (leavesRoom(tokensOf(shorter), context.parts)) return shorter;
  const cut = chooseCut(memory, room);
  if (cut === undefined) return fitting(memory, context);
  const tale = await tellInShort({ units: cut.left, memory, room }, context, signal);
  const turns = fitting(
    withSummary(memory, { throughSequence: cut.throughSequence, text: tale.text }),
    context,
  );
  const before = tokensOf(tell(memory, ALL_WHOLE));
  await note({ cut, tale, taint: [...taint], before, after: tokensOf(turns) }, context);
  return turns;
}

/** Contract: throws RUN_LIMIT_REACHED when nothing fits. */
function fitting(memory: Memory, context: RunContext): readonly Turn[] {
  const turns = fit(memory, roomFor(context.parts));
  if (turns !== undefined) return turns;
  throw limitReached('runs.context_tokens', context.parts.settings.context_tokens);
}

interface Compaction {
  readonly cut: Cut;
  readonly tale: ShortTale;
  readonly taint: string[];
  readonly before: number;
  readonly after: number;
}

async function note(
  { cut, tale, taint, before, after }: Compaction,
  { run, parts }: RunContext,
): Promise<void> {
  const message = create(RunCompactedSchema, {
    throughSequence: BigInt(cut.throughSequence),
    summary: tale.text,
    taint,
    tokensBefore: BigInt(before),
    tokensAfter: BigInt(after),
    ...(tale.usage === undefined ? {} : { usage: tale.usage }),
  });
  const draft = draftOf(run, { kind: 'run.compacted', actor: ACTORS.gateway, message });
  await record([draft], parts.journal);
}
