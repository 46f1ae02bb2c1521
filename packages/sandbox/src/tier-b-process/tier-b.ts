import { refused } from '../refused.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type Verdict, probe } from './probe.ts';
import { EXECUTOR, STANDING_WEAKNESS, execute } from './run.ts';
import { type TierBOptions, type Workshop, openWorkshop } from './workshop.ts';

export interface TierB extends Disposable {
  /** What was observed when it was made. */
  readonly verdict: Verdict;
  /** What `run` would do now. Contract: starts nothing; throws what `run` would refuse for. */
  prepare(request: SandboxRequest): Prepared;
  /** Contract: never rejects; resolves when no process of it is left that can be found. */
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
}

/**
 * Checked processes with limits. Contract: rejects with SANDBOX_UNAVAILABLE where there can be none. It
 * changes the process that calls it (`hardenProcess`), which should be one for this alone.
 */
export async function createTierB(options: TierBOptions): Promise<TierB> {
  using undo = new DisposableStack();
  const workshop = openWorkshop(options, undo);
  const verdict = await probe(workshop);
  const resources = undo.move();
  return {
    verdict,
    prepare: (request) => {
      using opened = prepare(workshop, verdict, request);
      const { plan, hash } = opened;
      return { plan, hash };
    },
    run: (request, watch) => runWith({ workshop, verdict }, request, watch),
    [Symbol.dispose]: () => resources.dispose(),
  };
}

async function runWith(
  { workshop, verdict }: { readonly workshop: Workshop; readonly verdict: Verdict },
  request: SandboxRequest,
  watch: RunWatch,
): Promise<Ending> {
  const started = performance.now();
  try {
    using prepared = prepare(workshop, verdict, request);
    return await execute(workshop, { request, prepared, weaknesses: verdict.weaknesses }, watch);
  } catch (reason) {
    return refused(reason, request, {
      executor: EXECUTOR,
      weaknesses: [STANDING_WEAKNESS],
      started,
    });
  }
}
