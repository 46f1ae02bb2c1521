import { DEFAULT_LIMITS, checkLimits } from '../limits.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import { type Busy, Pool } from '../pool/pool.ts';
import { refused } from '../refused.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import type { StartOrder } from '../starter/waiting-starter.ts';
import { type Cage, restock, startCage } from './cage.ts';
import { EXECUTOR, execute, isUntouched } from './execute.ts';
import { type CageRequest, planHash } from './plan.ts';
import { type Prepared, type Site, checkFirst, prepareCage, prepareCommand } from './prepare.ts';
import { type TierCOptions, type Workshop, openWorkshop } from './workshop.ts';

export interface TierC extends AsyncDisposable {
  /** What `run` would do now. Contract: starts nothing; rejects with what `run` would refuse for. */
  prepare(request: SandboxRequest): Promise<Prepared>;
  /** Contract: never rejects; resolves when nothing that its command started is left. The starter, mounts and masks go behind it. */
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
  /** Makes a sandbox ready for such a request before it comes. Contract: rejects when it cannot be made. */
  warm(request: CageRequest): Promise<void>;
  /** Resolves when as many are warm as are to be kept. */
  settled(): Promise<void>;
  /** Ends everything that is kept warm, until the next command; no mask of ours is left in any workspace. */
  drain(): Promise<void>;
  /** How many are warm now. */
  readyMade(): number;
}

/**
 * Bubblewrap's sandboxes, ready to be made. Contract: throws SANDBOX_UNAVAILABLE where there can be
 * none. It changes the process that calls it (`hardenProcess`), which should be one for this alone.
 */
export function createTierC(options: TierCOptions): TierC {
  using undo = new DisposableStack();
  const workshop = openWorkshop(options, undo);
  const pool = new Pool(workshop, options.pool);
  restock(workshop, DEFAULT_LIMITS);
  const resources = undo.move();
  return {
    prepare: (request) => prepareWith(workshop, request),
    run: (request, watch) => runWith({ workshop, pool }, request, watch),
    warm: async (request) => {
      checkLimits(request.limits);
      await pool.warm(request);
    },
    settled: () => pool.settled(),
    drain: () => pool.drain(),
    readyMade: () => pool.size,
    [Symbol.asyncDispose]: async () => {
      await pool[Symbol.asyncDispose]();
      await workshop.afterwards.settled();
      await workshop.groups?.[Symbol.asyncDispose]();
      resources.dispose();
    },
  };
}

interface Parts {
  readonly workshop: Workshop;
  readonly pool: Pool;
}

async function prepareWith(workshop: Workshop, request: SandboxRequest): Promise<Prepared> {
  await checkFirst(workshop, request);
  const site = await prepareCage(workshop, request);
  try {
    const command = prepareCommand(workshop, request, site);
    const plan = { ...site.draw().plan, command, limits: request.limits };
    return { plan, hash: planHash(plan) };
  } finally {
    site.leave();
  }
}

async function runWith(parts: Parts, request: SandboxRequest, watch: RunWatch): Promise<Ending> {
  const started = performance.now();
  using busy = parts.pool.busy();
  try {
    await checkFirst(parts.workshop, request);
    await parts.pool.ready(request);
    return (
      (await runOnce({ ...parts, busy }, request, watch)) ??
      // What was warm was gone at the last moment; what is made now is not.
      (await runCold(parts.workshop, request, watch))
    );
  } catch (reason) {
    return refused(reason, request, { executor: EXECUTOR, weaknesses: [], started });
  }
}

/** Contract: `undefined` when what was warm did not live to see its command. */
async function runOnce(
  { workshop, pool, busy }: Parts & { readonly busy: Busy },
  request: SandboxRequest,
  watch: RunWatch,
): Promise<Ending | undefined> {
  const site = await prepareCage(workshop, request);
  const { command, warm } = choose({ workshop, take: (at) => pool.take(at, busy) }, request, site);
  if (warm !== undefined) {
    const ending = await execute(warm, { request, command, isWarm: true }, watch);
    return isUntouched(warm, ending) ? undefined : ending;
  }
  const turn = workshop.starts.tryEnter();
  if (turn === undefined) {
    site.leave();
    return await runCold(workshop, request, watch);
  }
  const cage = await startIn(turn, workshop, site);
  return await execute(cage, { request, command, isWarm: false }, watch);
}

/** Waits for its turn. INVARIANT: looks at the workspace after that, since much may change meanwhile. */
async function runCold(
  workshop: Workshop,
  request: SandboxRequest,
  watch: RunWatch,
): Promise<Ending> {
  using stack = new DisposableStack();
  const turn = stack.use(await workshop.starts.enter());
  const site = await prepareCage(workshop, request);
  const { command } = choose({ workshop, take: () => undefined }, request, site);
  stack.move();
  const cage = await startIn(turn, workshop, site);
  return await execute(cage, { request, command, isWarm: false }, watch);
}

/** Contract: the turn ends with the start, not with the command. */
async function startIn(turn: Disposable, workshop: Workshop, site: Site): Promise<Cage> {
  using _turn = turn;
  return await startCage(workshop, site);
}

/** Contract: leaves `site` unless a cage is to be made of it. */
function choose(
  { workshop, take }: Pick<Parts, 'workshop'> & { readonly take: (site: Site) => Cage | undefined },
  request: SandboxRequest,
  site: Site,
): { readonly command: StartOrder; readonly warm: Cage | undefined } {
  try {
    const command = prepareCommand(workshop, request, site);
    const warm = take(site);
    if (warm !== undefined) site.leave();
    return { command, warm };
  } catch (error) {
    site.leave();
    throw error;
  }
}
