import { create } from '@bufbuild/protobuf';
import { type SandboxDesk, detailOf } from '@palyra/gateway';
import {
  type Sandbox,
  SandboxSchema,
  type SandboxMachine,
  SandboxMachineSchema,
  type SandboxPool,
  SandboxPoolSchema,
  type SandboxStep,
  SandboxStepSchema,
  TierState,
  type TierStanding,
  TierStandingSchema,
} from '@palyra/protocol';
import {
  type Limits,
  MAX_RUNS,
  MAX_WAITING,
  type SandboxLoad,
  type Sandboxes,
  type StepVerdict,
  type Verdict,
  poolBounds,
  standingsOf,
} from '../sandbox-process.ts';
import type { Config } from '../sections.ts';
import { limitsMessage } from './execution.ts';
import { postureOf } from './preview.ts';
import type { Verdicts } from './verdicts.ts';

export interface SandboxDeskParts {
  readonly verdicts: Verdicts;
  readonly sandboxes: Pick<Sandboxes, 'load'>;
  readonly limits: Limits;
  readonly settings: Pick<Config['sandbox'], 'egress' | 'warm' | 'warm_total'>;
}

/** The sandboxes as people see them. */
export function createSandboxDesk(parts: SandboxDeskParts): SandboxDesk {
  return {
    show: () => show(parts),
    prove: async (onStep) => {
      await parts.verdicts.prove((step) => onStep(stepMessage(step)));
      return await show(parts);
    },
  };
}

async function show({ verdicts, sandboxes, limits, settings }: SandboxDeskParts): Promise<Sandbox> {
  const { verdict, fault, isProving } = verdicts.known();
  return create(SandboxSchema, {
    tiers: standingsOf(process.platform, verdict).map((standing) => tierOf(standing, verdict)),
    ...(verdict !== undefined && { machine: machineOf(verdict) }),
    pool: poolOf(await sandboxes.load(), settings),
    limits: limitsMessage(limits),
    egress: settings.egress,
    isProving,
    ...(fault !== undefined && { error: detailOf(fault) }),
  });
}

type Standing = ReturnType<typeof standingsOf>[number];

const STATES: Readonly<Record<Standing['state'], TierState>> = {
  proven: TierState.PROVEN,
  refused: TierState.REFUSED,
  'not-proven': TierState.NOT_PROVEN,
  'not-built': TierState.NOT_BUILT,
};

/** Which tier a step of the ladder stands for. */
const TIERS: Readonly<Record<StepVerdict['step'], Standing['tier']>> = {
  bubblewrap: 'C',
  landlock: 'C',
  process: 'B',
};

function tierOf({ weaknesses, state, ...standing }: Standing, verdict?: Verdict): TierStanding {
  const steps = verdict?.steps.filter(({ step }) => TIERS[step] === standing.tier) ?? [];
  return create(TierStandingSchema, {
    ...standing,
    state: STATES[state],
    triedAt: steps.length === 0 ? '' : (verdict?.provenAt ?? ''),
    posture: state === 'proven' ? postureOf(standing.executor, verdict) : '',
    weaknesses: [...weaknesses],
    steps: steps.map(stepMessage),
  });
}

function stepMessage({ findings, weaknesses: _told, ...step }: StepVerdict): SandboxStep {
  return create(SandboxStepSchema, { ...step, probes: findings });
}

function machineOf({ machine }: Verdict): SandboxMachine {
  const { kernel, arch, bwrap: bubblewrap, cgroup, version, account } = machine;
  const userId = account.uid;
  return create(SandboxMachineSchema, { kernel, arch, bubblewrap, cgroup, version, userId });
}

function poolOf(load: SandboxLoad, settings: SandboxDeskParts['settings']): SandboxPool {
  const isKept = settings.warm > 0 && settings.warm_total > 0;
  const { perKey, total, maxAgeMs } = poolBounds({
    perKey: settings.warm,
    total: settings.warm_total,
  });
  return create(SandboxPoolSchema, {
    ...load,
    maxWarmPerSession: isKept ? perKey : 0,
    maxWarm: isKept ? total : 0,
    maxAgeMs,
    maxBusy: MAX_RUNS,
    maxWaiting: MAX_WAITING,
  });
}
