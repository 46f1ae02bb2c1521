import { PalyraError } from '@palyra/kernel';
import type { Ending, SandboxRequest } from './model.ts';
import type { Step } from './proof/verdict.ts';
import type { ExpectedRequest, Explanation, RunWatch } from './service/sandboxes.ts';
import { BWRAP, identifyBwrap } from './tier-c-bubblewrap/bwrap-binary.ts';
import { EXECUTOR as BUBBLEWRAP } from './tier-c-bubblewrap/execute.ts';
import { wordText } from './tier-c-bubblewrap/plan.ts';
import { createTierC } from './tier-c-bubblewrap/tier-c.ts';
import type { TierCOptions } from './tier-c-bubblewrap/workshop.ts';
import { createLandlock } from './tier-c-landlock/landlock.ts';
import { placeText } from './tier-c-landlock/plan.ts';
import { probe } from './tier-c-landlock/probe.ts';
import { EXECUTOR as LANDLOCK } from './tier-c-landlock/run.ts';
import { tryTwice } from './try-twice.ts';

export interface LadderOptions extends TierCOptions {
  /** Where bubblewrap must be; absent for where distributions put it. */
  readonly bwrap?: string;
  /** Called before anything is started; absent where nobody has to know. */
  readonly beforeStart?: () => Promise<void>;
}

/** One way to make sandboxes of tier C. */
export interface Rung extends AsyncDisposable {
  readonly step: Exclude<Step, 'process'>;
  readonly executor: string;
  /** What `run` would do now. Contract: starts nothing; rejects with what `run` would refuse for. */
  explain(request: SandboxRequest): Promise<Explanation>;
  /** Contract: never rejects; resolves when nothing of it is left. */
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
  /** Makes ready what such a request would run in. Contract: rejects when it cannot be made. */
  warm(request: ExpectedRequest): Promise<void>;
  /** Contract: resolves when nothing that waits, ready made, holds anything in a workspace. */
  drain(): Promise<void>;
  /** How many wait, ready made. */
  readyMade(): number;
}

export interface Ladder extends Rung {
  /** Why no stronger step was taken; empty for the strongest. Stands in every posture, too. */
  readonly weaknesses: readonly string[];
}

type Make = (options: LadderOptions) => Promise<Rung>;

/** Strongest first. INVARIANT: tier B is none of them, and never stands in for one. */
const STEPS: Readonly<Record<Rung['step'], Make>> = {
  bubblewrap: makeBubblewrap,
  landlock: makeLandlock,
};
const ORDER = ['bubblewrap', 'landlock'] as const;

/**
 * Tier C by the strongest means that this machine was seen to have. Contract: each step is tried with a
 * harmless command, and given up when that fails twice; rejects with SANDBOX_UNAVAILABLE and the reason of
 * every step when none is left.
 */
export async function createLadder(options: LadderOptions): Promise<Ladder> {
  const reasons: string[] = [];
  for (const step of ORDER) {
    try {
      return withReasons(await STEPS[step](options), reasons);
    } catch (reason) {
      reasons.push(`${step} could not be used: ${PalyraError.from(reason).message}`);
    }
  }
  throw new PalyraError('SANDBOX_UNAVAILABLE', `there is no tier C here: ${reasons.join('; ')}`, {
    help: 'install bubblewrap with `apt-get install bubblewrap` and allow user namespaces, or use Linux 6.12 or later with Landlock',
  });
}

/** Whether something that a stronger step needs is there now. Contract: `step` is of tier C. */
export function hasStrongerStep(step: Step, bwrap: string = BWRAP): boolean {
  if (step === 'bubblewrap') return false;
  try {
    identifyBwrap(bwrap);
    return true;
  } catch {
    return false;
  }
}

function withReasons(rung: Rung, reasons: readonly string[]): Ladder {
  if (reasons.length === 0) return { ...rung, weaknesses: [] };
  return {
    ...rung,
    weaknesses: reasons,
    explain: async (request) => {
      const explained = await rung.explain(request);
      return { ...explained, weaknesses: [...reasons, ...explained.weaknesses] };
    },
    run: async (request, watch) => {
      const { posture, ...ending } = await rung.run(request, watch);
      const weaknesses = [...reasons, ...posture.weaknesses];
      return { ...ending, posture: { ...posture, weaknesses, passedOver: reasons } };
    },
  };
}

async function makeBubblewrap(options: LadderOptions): Promise<Rung> {
  identifyBwrap(options.bwrap ?? BWRAP);
  await using undo = new AsyncDisposableStack();
  const tier = undo.use(createTierC(options));
  await options.beforeStart?.();
  await tryTwice(() => probe((request, watch) => tier.run(request, watch), options.folder));
  await tier.drain();
  const resources = undo.move();
  return {
    step: 'bubblewrap',
    executor: BUBBLEWRAP,
    explain: async (request) => {
      const { plan, hash } = await tier.prepare(request);
      return {
        executor: BUBBLEWRAP,
        planHash: hash,
        options: plan.options.map(wordText),
        guarded: plan.guarded.map(({ path, how }) => ({ path, how })),
        filterHash: plan.filterHash,
        limits: plan.limits,
        hosts: plan.hosts,
        weaknesses: plan.weaknesses,
      };
    },
    run: (request, watch) => tier.run(request, watch),
    warm: (request) => tier.warm(request),
    drain: () => tier.drain(),
    readyMade: () => tier.readyMade(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function makeLandlock({ folder, guard, beforeStart }: LadderOptions): Promise<Rung> {
  await using undo = new AsyncDisposableStack();
  const tier = undo.use(createLandlock({ folder, ...(guard && { guard }) }));
  await beforeStart?.();
  await tryTwice(() => probe((request, watch) => tier.run(request, watch), folder));
  const resources = undo.move();
  return {
    step: 'landlock',
    executor: LANDLOCK,
    explain: async (request) => {
      const { plan, hash } = await tier.prepare(request);
      return {
        executor: LANDLOCK,
        planHash: hash,
        options: plan.places.map(placeText),
        guarded: plan.guarded.map(({ path, how }) => ({ path, how })),
        filterHash: plan.filterHash,
        limits: plan.limits,
        hosts: [],
        weaknesses: plan.weaknesses,
      };
    },
    run: (request, watch) => tier.run(request, watch),
    warm: () => Promise.resolve(),
    drain: () => Promise.resolve(),
    readyMade: () => 0,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
