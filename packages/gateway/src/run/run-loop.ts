import type { EntryDraft } from '@palyra/kernel';
import type { ModelToolCall, Turn } from '../ports.ts';
import { toolTurn } from './context/tell.ts';
import { toolCallsOf } from './context/units.ts';
import type { Recollection } from './conversation.ts';
import { type GuardVerdict, LoopGuard } from './guard/loop-guard.ts';
import { seenCall, seenCalls } from './guard/seen-call.ts';
import { modelTurn, takeTurn } from './model-turn.ts';
import { settleOpenCalls } from './open-calls.ts';
import { type MadeCall, callAll } from './parallel/call-all.ts';
import type { RunContext } from './run-context.ts';
import { TurnNote } from './turn-note.ts';

/**
 * The model speaks, its tool calls are made, it hears the results, until it asks for nothing more.
 * Contract: returns when the run is complete, with what is to be recorded with its end; throws the
 * signal's reason when it was stopped, and a PalyraError when a limit was reached, the model failed or
 * the journal cannot be written.
 */
export async function runLoop(
  context: RunContext,
  past: Recollection,
  signal: AbortSignal,
): Promise<readonly EntryDraft[]> {
  const { budget } = context;
  const either = AbortSignal.any([signal, budget.signal]);
  budget.watch.start();
  try {
    return await goOn(context, past, either);
  } catch (reason) {
    // Whoever was cut off may say so in words of its own.
    budget.signal.throwIfAborted();
    throw reason;
  }
}

async function goOn(
  context: RunContext,
  past: Recollection,
  signal: AbortSignal,
): Promise<readonly EntryDraft[]> {
  const guard = new LoopGuard(context.parts.settings, seenCalls(past.entries));
  const settled = await settleOpenCalls(past, context, signal);
  // Without any, what stands at the end may be of a run before this one.
  const turns: Turn[] =
    settled.length === 0 ? [...past.turns] : inCallOrder([...past.turns, ...settled]);
  endAtLimit(context);

  for (;;) {
    const said = await takeTurn(turns, context, signal);
    if (said === undefined) return [];
    const calls = toolCallsOf(said.message);
    turns.push(modelTurn(said, calls));
    if (calls.length === 0) return [said.note];

    await using turn = new TurnNote(said.note, context.parts.journal);
    const made = await callAll(calls, { ...context, turn }, signal);
    signal.throwIfAborted();
    endAtLimit(context);
    turns.push(...hear(made, guard));
  }
}

/** A call that was one too many is on record as refused; nothing comes after it. */
function endAtLimit({ budget }: RunContext): void {
  if (budget.reached !== undefined) throw budget.reached;
}

/** Contract: throws when the run goes round in circles. */
function hear(made: readonly MadeCall[], guard: LoopGuard): readonly Turn[] {
  const verdicts = guard.seeTurn(made.map(({ proposal, result }) => seenCall(proposal, result)));
  return made.map(({ result }, place) => withVerdict(toolTurn(result), verdicts[place]));
}

function withVerdict(turn: Turn, verdict: GuardVerdict | undefined): Turn {
  switch (verdict?.kind) {
    case undefined:
    case 'fine':
      return turn;
    case 'warned':
      return { ...turn, text: `${turn.text}\n\n${verdict.says}` };
    case 'stopped':
      throw verdict.limit;
  }
}

/** What came of the last calls, in their order: a crash may have left one open before others. */
function inCallOrder(turns: readonly Turn[]): Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'model');
  const model = turns[last];
  if (model?.role !== 'model') return [...turns];
  const place = new Map(model.toolCalls.map(({ callId }: ModelToolCall, at) => [callId, at]));
  const placeOf = (turn: Turn) => (turn.role === 'tool' ? (place.get(turn.callId) ?? 0) : 0);
  const results = turns.slice(last + 1).toSorted((one, other) => placeOf(one) - placeOf(other));
  return [...turns.slice(0, last + 1), ...results];
}
