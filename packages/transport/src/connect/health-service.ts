import type { ServiceImpl } from '@connectrpc/connect';
import type { Gateway } from '@palyra/gateway';
import { type HealthService, Readiness as WireReadiness } from '@palyra/protocol';
import type { LoopDelayMeter } from '../loop-delay.ts';
import type { Readiness, ReadinessPhase } from '../readiness.ts';

/** What the composition knows about this daemon and nobody else does. */
export interface HealthFacts {
  readonly version: string;
  readonly profile: string;
  readonly endpoints: readonly string[];
  readonly model: string;
  readonly modelIsScript: boolean;
  readonly startedAt: Date;
  readonly missing: readonly MissingPartFact[];
}

export interface MissingPartFact {
  readonly name: string;
  readonly reason: string;
  readonly help: string;
}

export interface HealthSources {
  readonly gateway: Gateway;
  readonly facts: HealthFacts;
  readonly readiness: Readiness;
  readonly loopDelay: LoopDelayMeter;
}

const WIRE_READINESS: Readonly<Record<ReadinessPhase, WireReadiness>> = {
  starting: WireReadiness.STARTING,
  ready: WireReadiness.READY,
  failed: WireReadiness.FAILED,
  draining: WireReadiness.DRAINING,
};

export function healthService(sources: HealthSources): ServiceImpl<typeof HealthService> {
  const { gateway, facts, readiness, loopDelay } = sources;
  const unchanging = {
    version: facts.version,
    profile: facts.profile,
    endpoints: [...facts.endpoints],
    model: facts.model,
    modelIsScript: facts.modelIsScript,
    startedAt: facts.startedAt.toISOString(),
    missing: facts.missing.map((part) => ({ ...part })),
  };
  return {
    getHealth: () => ({
      ...unchanging,
      readiness: WIRE_READINESS[readiness.phase],
      activeRuns: gateway.runs.activeCount,
      journalSequence: BigInt(gateway.journal.tip().sequence),
      residentBytes: BigInt(process.memoryUsage.rss()),
      eventLoopDelayP99Ms: loopDelay.read().p99Ms,
    }),
  };
}
