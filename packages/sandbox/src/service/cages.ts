import { createLadder } from '../ladder.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import type { Maker } from '../proof/maker.ts';
import type { Step } from '../proof/verdict.ts';
import { DEFAULT_RULES } from '../tier-b-process/allowed.ts';
import { EXECUTOR as EXECUTOR_B, STANDING_WEAKNESS } from '../tier-b-process/run.ts';
import { createTierB } from '../tier-b-process/tier-b.ts';
import type { WayOutPort } from '../way-out.ts';
import type { Opening } from './messages.ts';
import type { ExpectedRequest, Explanation, RunWatch } from './sandboxes.ts';

/** One tier on this machine, ready to be used. */
export interface Cage extends AsyncDisposable {
  readonly step: Step;
  readonly executor: string;
  explain(request: SandboxRequest): Promise<Explanation>;
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
  /** Makes ready what such a request would run in. Contract: rejects when it cannot be made. */
  warm(request: ExpectedRequest): Promise<void>;
  /** Contract: resolves when nothing that waits, ready made, holds anything in a workspace. */
  drain(): Promise<void>;
  /** How many wait, ready made. */
  readyMade(): number;
}

export interface CageOptions {
  /** Of this process alone. */
  readonly folder: string;
  readonly opening: Opening;
  readonly wayOut: WayOutPort;
  /** Called before anything is started. */
  readonly beforeStart: () => Promise<void>;
}

/** Contract: rejects with SANDBOX_UNAVAILABLE where there can be none. */
export async function openTierC(options: CageOptions): Promise<Cage> {
  const { folder, opening, wayOut, beforeStart } = options;
  const { warm, warmTotal } = opening;
  const isWarm = warm > 0 && warmTotal > 0;
  return await createLadder({
    folder,
    wayOut,
    beforeStart,
    ...(isWarm && { pool: { perKey: warm, total: warmTotal } }),
  });
}

/** Contract: rejects with SANDBOX_UNAVAILABLE where there can be none. */
export async function openTierB({ opening, beforeStart }: CageOptions): Promise<Cage> {
  await beforeStart();
  const allowed = [...DEFAULT_RULES.allowed, ...opening.programs];
  const tier = await createTierB({ rules: { ...DEFAULT_RULES, allowed } });
  return {
    step: 'process',
    executor: EXECUTOR_B,
    explain: async (request) => {
      const { plan, hash } = tier.prepare(request);
      return {
        executor: EXECUTOR_B,
        planHash: hash,
        options: plan.options,
        guarded: [],
        filterHash: '',
        limits: plan.limits,
        hosts: [],
        weaknesses: [STANDING_WEAKNESS, ...tier.verdict.weaknesses],
      };
    },
    run: (request, watch) => tier.run(request, watch),
    warm: () => Promise.resolve(),
    drain: () => Promise.resolve(),
    readyMade: () => 0,
    [Symbol.asyncDispose]: async () => tier[Symbol.dispose](),
  };
}

/** The same for whoever tries to break it. */
export function makerOf(cage: Cage): Maker {
  const { step, executor } = cage;
  return {
    step,
    executor,
    run: (request, signal) => cage.run(request, { ...UNWATCHED, signal }),
    prepare: async (request) => ({ hash: (await cage.explain(request)).planHash }),
    settle: () => cage.drain(),
  };
}

/** An attack is to reach nobody. */
const UNWATCHED: Omit<RunWatch, 'signal'> = {
  onOutput: () => {},
  onConnection: () => {},
  mayConnect: async () => false,
};
