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
  /** Told of each step when it has been tried. Contract: must not throw. */
  readonly onStep: (step: StepVerdict) => void;
}

type StepProbe = (maker: Maker, place: TrialPlace) => Promise<StepVerdict>;

const PROBES: Readonly<Record<Step, StepProbe>> = {
  bubblewrap: probeBubblewrap,
  landlock: attackLandlock,
  process: tryProcess,
};

/** Tries everything hostile, in real sandboxes. Contract: what cannot be tried is not proven. */
export async function prove(parts: ProofParts): Promise<Verdict> {
  const { makers, machine, clock, onStep, ...place } = parts;
  const steps: StepVerdict[] = [];
  for (const maker of makers) {
    const step = 'run' in maker ? await PROBES[maker.step](maker, place) : refusedStep(maker);
    steps.push(step);
    onStep(step);
  }
  return {
    fingerprint: fingerprintOf(machine),
    machine,
    provenAt: clock.now().toISOString(),
    steps,
    tier: strongestTier(steps),
  };
}
