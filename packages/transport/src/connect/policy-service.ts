import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { PolicyFlows } from '@palyra/gateway';
import { PalyraError, quote } from '@palyra/kernel';
import { type PolicyCandidate, PolicyCandidateSchema, type PolicyService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';

export function policyService(policy: PolicyFlows): ServiceImpl<typeof PolicyService> {
  const { desk } = policy;
  return {
    getPolicy: ({ policySetHash }) => desk.show(toHash(policySetHash)),
    explainDecision: async (request, { values }) => ({
      explanation: await policy.explain(request, callerIn(values)),
    }),
    comparePolicies: async (request) => ({
      difference: await desk.compare(toCandidate(request.old), toCandidate(request.new)),
    }),
    async *backtestPolicy({ candidate, since }, { signal }) {
      yield* policy.backtest(toCandidate(candidate), toMoment(since, 'since'), signal);
    },
    reloadPolicy: (_request, { values }) => desk.reload(callerIn(values).actor),
    applyPolicy: (request, { values }) => policy.apply(request, callerIn(values)),
    async startShadow({ candidate }, { values }) {
      const shadow = await desk.startShadow(toCandidate(candidate), callerIn(values).actor);
      return { candidateHash: shadow.policySetHash };
    },
    async stopShadow(_request, { values, signal }) {
      const { report } = await policy.stopShadow(callerIn(values), signal);
      return { report };
    },
    async getShadowReport(_request, { signal }) {
      const { report, startedAt } = await policy.shadowReport(signal);
      return { report, startedAt: startedAt.toISOString() };
    },
  };
}

/** Nothing stands for what is in force. */
function toCandidate(candidate: PolicyCandidate | undefined): PolicyCandidate {
  if (candidate?.candidate.case === undefined) return IN_FORCE;
  if (candidate.candidate.case === 'policySetHash') toHash(candidate.candidate.value);
  return candidate;
}

const IN_FORCE = create(PolicyCandidateSchema, {
  candidate: { case: 'policySetHash', value: 'active' },
});

/** Contract: empty for what is in force. */
function toHash(text: string): string {
  if (text === '' || text === 'active' || /^[0-9a-f]{64}$/.test(text)) return text;
  throw new PalyraError('INVALID_INPUT', `${quote(text)} is not the hash of a set of rules`, {
    help: 'a hash has 64 digits from `0` to `f`; `palyra policy list` shows the one in force',
  });
}

/** Contract: empty text means absent. */
function toMoment(text: string, field: string): Date | undefined {
  if (text === '') return undefined;
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new PalyraError('INVALID_INPUT', `\`${field}\` is not a time`, {
    help: 'write it as `2026-11-16T00:00:00Z`',
  });
}
