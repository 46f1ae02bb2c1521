import { refused } from '../refused.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import { EXECUTOR, execute } from './execute.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Watch } from './run.ts';
import { type TierCOptions, type Workshop, openWorkshop } from './workshop.ts';

export interface TierC extends Disposable {
  /** What `run` would do now. Contract: starts nothing; throws what `run` would refuse for. */
  prepare(request: SandboxRequest): Prepared;
  /** Contract: never rejects; resolves when no process, mount or mask of it is left. */
  run(request: SandboxRequest, watch: Watch): Promise<Ending>;
}

/**
 * Bubblewrap's sandboxes, ready to be made. Contract: throws SANDBOX_UNAVAILABLE where there can be
 * none. It changes the process that calls it (`hardenProcess`), which should be one for this alone.
 */
export function createTierC(options: TierCOptions): TierC {
  using undo = new DisposableStack();
  const workshop = openWorkshop(options, undo);
  const resources = undo.move();
  return {
    prepare: (request) => {
      using opened = prepare(workshop, request);
      const { plan: made, hash } = opened;
      return { plan: made, hash };
    },
    run: (request, watch) => runWith(workshop, request, watch),
    [Symbol.dispose]: () => resources.dispose(),
  };
}

async function runWith(workshop: Workshop, request: SandboxRequest, watch: Watch): Promise<Ending> {
  const started = performance.now();
  try {
    using prepared = prepare(workshop, request);
    return await execute(workshop, { request, prepared }, watch);
  } catch (reason) {
    return refused(reason, request, { executor: EXECUTOR, weaknesses: [], started });
  }
}
