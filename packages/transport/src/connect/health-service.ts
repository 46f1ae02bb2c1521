import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { Gateway, PolicyStanding } from '@palyra/gateway';
import {
  type ErrorDetail,
  type GetHealthResponse,
  GetHealthResponseSchema,
  type HealthService,
  type PolicyHealth,
  PolicyHealthSchema,
  Readiness as WireReadiness,
} from '@palyra/protocol';
import type { LoopDelayMeter } from '../loop-delay.ts';
import { createMemoryMeter } from '../memory-meter.ts';
import { type Readiness, type ReadinessPhase, faultOf } from '../readiness.ts';
import type { Whereabouts } from '../whereabouts.ts';
import { detailOf } from './errors.ts';

/** What the composition knows about this daemon and nobody else does. */
export interface HealthFacts {
  readonly version: string;
  readonly profile: string;
  readonly model: string;
  readonly modelIsScript: boolean;
  readonly workspace: string;
  readonly furtherWorkspaces: readonly string[];
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

export function healthService(
  sources: HealthSources,
  whereabouts: Whereabouts,
): ServiceImpl<typeof HealthService> {
  return { getHealth: healthReader(sources, whereabouts) };
}

/** How the gateway is, for whoever may know it. */
export function healthReader(
  sources: HealthSources,
  whereabouts: Whereabouts,
): () => GetHealthResponse {
  const { gateway, facts, readiness, loopDelay } = sources;
  const memory = createMemoryMeter();
  // A message already, so that no call builds these parts again.
  const unchanging = create(GetHealthResponseSchema, {
    version: facts.version,
    profile: facts.profile,
    endpoints: [...whereabouts.endpoints],
    console: whereabouts.console,
    model: facts.model,
    modelIsScript: facts.modelIsScript,
    workspace: facts.workspace,
    furtherWorkspaces: [...facts.furtherWorkspaces],
    startedAt: facts.startedAt.toISOString(),
    missing: facts.missing.map((part) => ({ ...part })),
  });
  return () => ({
    ...unchanging,
    readiness: WIRE_READINESS[readiness.phase],
    activeRuns: gateway.runs.activeCount,
    journalSequence: BigInt(gateway.journal.tip().sequence),
    residentBytes: BigInt(memory.readBytes()),
    eventLoopDelayP99Ms: loopDelay.read().p99Ms,
    policy: policyHealth(gateway.policy.desk.health()),
    ...faultHealth(readiness),
  });
}

function faultHealth(readiness: Readiness): { readonly fault?: ErrorDetail } {
  const fault = faultOf(readiness);
  return fault === undefined ? {} : { fault: detailOf(fault) };
}

function policyHealth({ problems, ...standing }: PolicyStanding): PolicyHealth {
  return create(PolicyHealthSchema, { ...standing, problems: [...problems] });
}
