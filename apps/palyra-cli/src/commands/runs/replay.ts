import { PalyraError } from '@palyra/kernel';
import { type RunEvent, RunEventSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { onInterrupt } from '../../interrupts.ts';
import { printEnding } from '../../render/ending.ts';
import { UNKNOWN_OUTCOME, observe } from '../../render/run-outcome.ts';
import { RunStory } from '../../render/run-story.ts';
import { wireJson } from '../../wire-json.ts';

/** Tells a run again from its journal; one that goes on is followed to its end. */
export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const runId = argument(invocation, 0);
  const leaving = new AbortController();
  using cleanup = new DisposableStack();
  cleanup.use(onInterrupt(() => leaving.abort()));
  const story = new RunStory(terminal);
  const show = wantsJson(invocation)
    ? (event: RunEvent) => terminal.json('event', { event: wireJson(RunEventSchema, event) })
    : (event: RunEvent) => story.tell(event);
  let outcome = UNKNOWN_OUTCOME;
  try {
    const events = client.runs.watchRun({ runId }, { signal: leaving.signal });
    for await (const event of events) {
      outcome = observe(outcome, event);
      show(event);
    }
  } catch (reason) {
    // Whoever watches may go; the run does not care.
    if (!leaving.signal.aborted || PalyraError.from(reason).code !== 'CANCELLED') throw reason;
    return 'cancelled';
  } finally {
    story.close();
  }
  if (wantsJson(invocation)) return 'ok';
  const { run: told } = await client.runs.getRun({ runId });
  printEnding(terminal, { runId, sessionId: told?.sessionId ?? '', outcome });
  return 'ok';
}
