import { NO_TIER_C as NOT_ON_WINDOWS } from '../tier-c-windows/run.ts';
import type { Step, StepVerdict, Verdict } from './verdict.ts';

/** What a tier is on this machine, in words. */
export interface TierStanding {
  readonly tier: 'A' | 'B' | 'C';
  readonly state: 'proven' | 'refused' | 'not-proven' | 'not-built';
  /** The step of the ladder that was taken; empty when none was. */
  readonly step: Step | '';
  readonly executor: string;
  readonly reason: string;
  readonly help: string;
  readonly weaknesses: readonly string[];
}

const ON_LINUX = 'run the gateway on Linux, or in WSL 2';
const TRY_AGAIN = '`palyra sandbox prove` shows everything that was tried';
const TIER_A = nothing('A', 'not-built', { reason: 'it comes with skills', help: '' });

/** Contract: pure; without a verdict nothing is proven. */
export function standingsOf(
  platform: NodeJS.Platform,
  verdict: Verdict | undefined,
): readonly TierStanding[] {
  if (platform === 'linux') {
    return [
      TIER_A,
      linuxStanding('B', verdict, ['process']),
      linuxStanding('C', verdict, ['bubblewrap', 'landlock']),
    ];
  }
  if (platform === 'darwin') return [TIER_A, unproven('B', 'macOS'), unproven('C', 'macOS')];
  if (platform === 'win32') {
    const tierC = nothing('C', 'refused', { reason: NOT_ON_WINDOWS, help: ON_LINUX });
    return [TIER_A, unproven('B', 'Windows'), tierC];
  }
  const why = { reason: `there is none for ${platform}`, help: ON_LINUX };
  return [TIER_A, nothing('B', 'refused', why), nothing('C', 'refused', why)];
}

function unproven(tier: 'B' | 'C', system: string): TierStanding {
  const reason = `not proven on this machine: its attacks have not been tried on ${system}`;
  return nothing(tier, 'not-proven', { reason, help: ON_LINUX });
}

function linuxStanding(
  tier: 'B' | 'C',
  verdict: Verdict | undefined,
  steps: readonly Step[],
): TierStanding {
  const tried = steps.flatMap((step) => verdict?.steps.filter((one) => one.step === step) ?? []);
  const proven = tried.find(({ isProven }) => isProven);
  if (proven !== undefined) {
    const { step, executor, findings, weaknesses } = proven;
    const above = tried.slice(0, tried.indexOf(proven)).map(stepDown);
    const reason = `of ${findings.length} things that were tried none came through`;
    const all = [...above, ...weaknesses];
    return { tier, state: 'proven', step, executor, reason, help: '', weaknesses: all };
  }
  const [first] = tried;
  if (first === undefined) {
    return nothing(tier, 'not-proven', { reason: 'not proven on this machine', help: TRY_AGAIN });
  }
  return {
    ...nothing(tier, 'refused', { reason: whyNot(first), help: TRY_AGAIN }),
    weaknesses: tried.slice(1).map(stepDown),
  };
}

function stepDown(step: StepVerdict): string {
  return `not by ${step.step}: ${whyNot(step)}`;
}

function whyNot({ refusal, findings }: StepVerdict): string {
  if (refusal !== '') return refusal;
  const failed = findings.filter(({ holds }) => !holds).map(({ id }) => `\`${id}\``);
  return failed.length === 0 ? 'nothing was tried' : `${failed.join(', ')} did not hold`;
}

function nothing(
  tier: TierStanding['tier'],
  state: TierStanding['state'],
  { reason, help }: Pick<TierStanding, 'reason' | 'help'>,
): TierStanding {
  return { tier, state, step: '', executor: '', reason, help, weaknesses: [] };
}
