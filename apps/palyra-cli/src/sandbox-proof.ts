import type { PalyraClient } from '@palyra/client';
import { type Json, PalyraError, isJsonObject } from '@palyra/kernel';
import { type Sandbox, type SandboxStep, TierState } from '@palyra/protocol';
import type { Shell } from './command.ts';
import { localDaemonOf } from './daemon.ts';
import { askDaemonProgram } from './daemon-program.ts';

/** What came of every attack, and who remembers it. */
export interface Proof {
  /** Tier C holds. */
  readonly works: boolean;
  readonly verdict: Json;
  /** The gateway of this machine has done it: its journal tells of it, and what it runs goes by it. */
  readonly isJournaled: boolean;
}

/** By the gateway that runs here, or without one when none does. Contract: rejects when nobody could try. */
export async function proveSandbox(shell: Shell): Promise<Proof> {
  const gateway = localDaemonOf(shell);
  return (await isHere(gateway)) ? await proveBy(gateway) : await proveAlone(shell);
}

/** One that is there and has a lot to do is still the one to ask. */
const PATIENCE_MS = 30_000;

/** Asked first: one that goes away in the middle has begun with it, and nobody begins again behind its back. */
async function isHere({ health }: PalyraClient): Promise<boolean> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    await health.getHealth({}, { signal: patience, timeoutMs: 2 * PATIENCE_MS });
    return true;
  } catch (reason) {
    // One that is not there refuses at once; only one that is there can keep us waiting.
    const isAway = PalyraError.from(reason).code === 'DAEMON_UNREACHABLE' && !patience.aborted;
    if (isAway) return false;
    throw reason;
  }
}

async function proveBy(gateway: PalyraClient): Promise<Proof> {
  const steps: SandboxStep[] = [];
  let proven: Sandbox | undefined;
  for await (const { step, sandbox } of gateway.sandbox.proveSandbox({})) {
    if (step !== undefined) steps.push(step);
    proven = sandbox;
  }
  if (proven === undefined) throw new PalyraError('UNEXPECTED', 'the gateway did not finish it');
  return { ...told(proven, steps), isJournaled: true };
}

/** As `palyrad sandbox prove` tells it. */
function told({ tiers }: Sandbox, steps: readonly SandboxStep[]): Omit<Proof, 'isJournaled'> {
  const holds = (name: string) =>
    tiers.some(({ tier, state }) => tier === name && state === TierState.PROVEN);
  const provenAt = tiers.find(({ triedAt }) => triedAt !== '')?.triedAt ?? '';
  const weaknessesOf = (step: string) => tiers.find((tier) => tier.step === step)?.weaknesses ?? [];
  const verdict = {
    provenAt,
    tier: ['C', 'B'].find(holds) ?? 'none',
    steps: steps.map(({ step, executor, isProven, refusal, probes }) => ({
      step,
      executor,
      isProven,
      refusal,
      findings: probes.map(({ id, says, expected, observed, holds: it }) => ({
        id,
        says,
        expected,
        observed,
        holds: it,
      })),
      weaknesses: weaknessesOf(step),
    })),
  };
  return { works: holds('C'), verdict };
}

async function proveAlone(shell: Shell): Promise<Proof> {
  const { verdict = null } = await askDaemonProgram(shell, ['sandbox', 'prove']);
  const works = isJsonObject(verdict) && verdict['tier'] === 'C';
  return { works, verdict, isJournaled: false };
}
