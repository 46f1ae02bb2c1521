import { PalyraError } from '@palyra/kernel';
import { z } from 'zod';

/** One hostile thing that was tried inside a real sandbox, and what came of it. */
const FINDING = z.strictObject({
  /** Stable, for scripts: `files.write-usr`. */
  id: z.string().max(64),
  /** What was tried, for people. */
  says: z.string().max(200),
  expected: z.string().max(200),
  observed: z.string().max(500),
  holds: z.boolean(),
});
export type ProbeFinding = z.infer<typeof FINDING>;

/** Steps of the ladder, strongest first; the names stand in results. */
export const STEPS = ['bubblewrap', 'landlock', 'process'] as const;
export type Step = (typeof STEPS)[number];

export const STEP_VERDICT = z.strictObject({
  step: z.enum(STEPS),
  executor: z.string().max(64),
  isProven: z.boolean(),
  /** Why it could not even be tried; empty otherwise. */
  refusal: z.string().max(500),
  findings: z.array(FINDING).max(200),
  /** What it does not hold even when everything else does, as the sandboxes themselves said. */
  weaknesses: z.array(z.string().max(500)).max(32),
});
export type StepVerdict = z.infer<typeof STEP_VERDICT>;

const TEXT = z.string().max(500);

/** What a verdict depends on, and is believed for alone. */
const MACHINE_FACTS = z.strictObject({
  /** Release and build. */
  kernel: TEXT,
  arch: z.string().max(32),
  /** Where it is and what it calls itself; or why there is none. */
  bwrap: TEXT,
  /** Which file it is; empty when there is none. */
  bwrapFile: TEXT,
  account: z.strictObject({ uid: z.int(), gid: z.int() }),
  cgroup: z.enum(['v1', 'v2', 'none']),
  /** Of Palyra. */
  version: z.string().max(64),
  /** By step: the hash of what would be done for one and the same request; words and filter are in it. */
  profiles: z.record(z.string().max(32), TEXT),
});
export type MachineFacts = z.infer<typeof MACHINE_FACTS>;

/** What was observed on this machine; holds as long as the fingerprint is the same. */
export const VERDICT = z.strictObject({
  /** SHA-256, in hex, over everything the outcome depends on: kernel, bwrap, profile, filter, account. */
  fingerprint: z.string().length(64),
  machine: MACHINE_FACTS,
  provenAt: z.iso.datetime(),
  steps: z.array(STEP_VERDICT).max(STEPS.length),
  /** The strongest tier of which everything held; what rules are told. */
  tier: z.enum(['none', 'B', 'C']),
});
export type Verdict = z.infer<typeof VERDICT>;

const TIER_OF_STEP = { bubblewrap: 'C', landlock: 'C', process: 'B' } as const;

/** Contract: pure; what was not tried is not proven. */
export function strongestTier(steps: readonly StepVerdict[]): Verdict['tier'] {
  const tiers = steps.filter(({ isProven }) => isProven).map(({ step }) => TIER_OF_STEP[step]);
  if (tiers.includes('C')) return 'C';
  return tiers.includes('B') ? 'B' : 'none';
}

/**
 * Asked before anything runs in a sandbox of that step. Contract: throws SANDBOX_UNAVAILABLE, and names
 * what does not hold; one thing is enough, and so is no verdict at all.
 */
export function insistOnProof(verdict: Verdict, step: Step): void {
  const found = verdict.steps.find((candidate) => candidate.step === step);
  if (found?.isProven === true) return;
  throw new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the sandbox \`${step}\` is not proven: ${why(found)}`,
    {
      help: '`palyra sandbox prove` tries it again and shows everything that was observed',
    },
  );
}

function why(found: StepVerdict | undefined): string {
  if (found === undefined) return 'nobody has tried it on this machine';
  if (found.refusal !== '') return found.refusal;
  const { id, expected, observed } = found.findings.find(({ holds }) => !holds) ?? NOTHING_TRIED;
  return `\`${id}\` was to be ${expected}, and was: ${observed}`;
}

const NOTHING_TRIED = { id: 'everything', expected: 'tried', observed: 'nothing' };
