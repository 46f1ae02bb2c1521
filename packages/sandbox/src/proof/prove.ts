import type { Clock } from '@palyra/kernel';
import { probe as probeBubblewrap } from '../tier-c-bubblewrap/probe.ts';
import { attackLandlock } from '../tier-c-landlock/attacks.ts';
import { tryProcess } from '../tier-b-process/try-process.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Maker, TrialPlace, Unmade } from './maker.ts';
import { refusedStep } from './step-verdict.ts';
import {
  type MachineFacts,
  type Step,
  type StepVerdict,
  type Verdict,
  strongestTier,
} from './verdict.ts';

export interface ProofParts {
  /** One for each step; strongest first. */
  readonly makers: readonly (Maker | Unmade)[];
  /** Ours alone; workspaces for the trials are made in it, and removed. As root others can pass through it. */
  readonly folder: string;
  readonly machine: MachineFacts;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type StepProbe = (maker: Maker, place: TrialPlace) => Promise<StepVerdict>;

const PROBES: Readonly<Record<Step, StepProbe>> = {
  bubblewrap: probeBubblewrap,
  landlock: attackLandlock,
  process: tryProcess,
};

/** Tries everything hostile, in real sandboxes. Contract: what cannot be tried is not proven. */
export async function prove({ makers, machine, clock, ...place }: ProofParts): Promise<Verdict> {
  const steps: StepVerdict[] = [];
  for (const maker of makers) {
    steps.push('run' in maker ? await PROBES[maker.step](maker, place) : refusedStep(maker));
  }
  return {
    fingerprint: fingerprintOf(machine),
    machine,
    provenAt: clock.now().toISOString(),
    steps,
    tier: strongestTier(steps),
  };
}
