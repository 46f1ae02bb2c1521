import { create } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { PolicyFlows } from '@palyra/gateway';
import { PalyraError, quote } from '@palyra/kernel';
import { type PolicyCandidate, PolicyCandidateSchema, type PolicyService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { type Confirming, demandConfirmed } from './confirmed.ts';
import { optionalMoment } from './wire-words.ts';

export function policyService(
  policy: PolicyFlows,
  passkeys: Confirming,
): ServiceImpl<typeof PolicyService> {
  const { desk } = policy;
  return {
    getPolicy: ({ policySetHash }) => desk.show(toHash(policySetHash)),
    explainDecision: async (request, { values }) => ({
      explanation: await policy.explain(request, callerIn(values)),
    }),
    checkPolicy: ({ candidate }, context) => policy.check(toCandidate(candidate), askerIn(context)),
    testPolicy: ({ candidate, cases }, context) =>
      policy.test({ candidate: toCandidate(candidate), cases }, askerIn(context)),
    comparePolicies: async (request, context) => ({
      difference: await policy.compare(
        toCandidate(request.old),
        toCandidate(request.new),
        askerIn(context),
      ),
    }),
    async *backtestPolicy({ candidate, since }, context) {
      yield* policy.backtest(
        toCandidate(candidate),
        optionalMoment(since, 'since'),
        askerIn(context),
      );
    },
    reloadPolicy: (_request, { values }) => desk.reload(callerIn(values).actor),
    async applyPolicy(request, context) {
      const change = { candidate: toApply(request.candidate), iMeanIt: request.iMeanIt };
      await demandConfirmed(passkeys, { case: 'policy', value: request }, context.values);
      return await policy.apply(change, askerIn(context));
    },
    async startShadow({ candidate }, { values }) {
      const shadow = await desk.startShadow(toCandidate(candidate), callerIn(values).actor);
      return { candidateHash: shadow.policySetHash, replacedHash: shadow.replaced ?? '' };
    },
    async stopShadow(_request, context) {
      const { report } = await policy.stopShadow(askerIn(context));
      return { report };
    },
    async getShadowReport(_request, context) {
      const { report, startedAt } = await policy.shadowReport(askerIn(context));
      return { report, startedAt: startedAt.toISOString() };
    },
  };
}

function askerIn({ values, signal }: HandlerContext) {
  return { caller: callerIn(values), signal };
}

/** Contract: nothing stays nothing, since what is in force need not be applied. */
function toApply(candidate: PolicyCandidate | undefined): PolicyCandidate | undefined {
  return candidate?.candidate.case === undefined ? undefined : toCandidate(candidate);
}

/** Nothing stands for what is in force. */
function toCandidate(candidate: PolicyCandidate | undefined): PolicyCandidate {
  if (candidate?.candidate.case === undefined) return inForce();
  if (candidate.candidate.case === 'policySetHash') toHash(candidate.candidate.value);
  return candidate;
}

function inForce(): PolicyCandidate {
  return create(PolicyCandidateSchema, { candidate: { case: 'policySetHash', value: 'active' } });
}

/** Contract: empty for what is in force. */
function toHash(text: string): string {
  if (text === '' || text === 'active' || HASH.test(text)) return text;
  throw new PalyraError('INVALID_INPUT', `${quote(text)} is not the hash of a set of rules`, {
    help: 'a hash has 64 digits from `0` to `f`, of which the first 8 or more will do; `palyra policy list` shows the one in force',
  });
}

/** Whole, or how it begins: the desk finds the one that is meant. */
const HASH = /^[0-9a-f]{8,64}$/;
