import type { Ending, SandboxRequest } from '../model.ts';
import { refused } from '../refused.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { STANDING_WEAKNESSES } from './plan.ts';
import { type Prepared, prepare } from './prepare.ts';
import { EXECUTOR, execute } from './run.ts';
import { type LandlockOptions, type Workshop, openWorkshop } from './workshop.ts';

export interface Landlock extends AsyncDisposable {
  /** What `run` would do now. Contract: starts nothing; rejects with what `run` would refuse for. */
  prepare(request: SandboxRequest): Promise<Prepared>;
  /** Contract: never rejects; resolves when no process, cgroup or temporary file of it is left. */
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
}

/**
 * Sandboxes without namespaces, ready to be made. Contract: throws SANDBOX_UNAVAILABLE where there can be
 * none. It changes the process that calls it (`hardenProcess`), which should be one for this alone.
 */
export function createLandlock(options: LandlockOptions): Landlock {
  using undo = new DisposableStack();
  const workshop = openWorkshop(options, undo);
  const resources = undo.move();
  return {
    prepare: async (request) => {
      using opened = await prepare(workshop, request);
      const { plan, hash } = opened;
      return { plan, hash };
    },
    run: (request, watch) => runWith(workshop, request, watch),
    [Symbol.asyncDispose]: async () => resources.dispose(),
  };
}

async function runWith(
  workshop: Workshop,
  request: SandboxRequest,
  watch: RunWatch,
): Promise<Ending> {
  const started = performance.now();
  try {
    using prepared = await prepare(workshop, request);
    return await execute(workshop, { request, prepared }, watch);
  } catch (reason) {
    return refused(reason, request, {
      executor: EXECUTOR,
      weaknesses: STANDING_WEAKNESSES,
      started,
    });
  }
}
