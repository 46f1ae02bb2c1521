import { create } from '@bufbuild/protobuf';
import { PalyraError, quote } from '@palyra/kernel';
import {
  type ApplyPolicyRequest,
  type ApplyPolicyResponse,
  ApplyPolicyResponseSchema,
  type BacktestProgress,
  type BacktestReport,
  type CheckPolicyResponse,
  type ExplainDecisionRequest,
  type Permission,
  type PolicyCandidate,
  PolicyCandidateSchema,
  type PolicyDifference,
  type PolicyExplanation,
  PolicyExplanationSchema,
  type TestPolicyResponse,
} from '@palyra/protocol';
import { type Caller, lackOf } from '../identity/caller.ts';
import type { JournalReader } from '../journal-reader.ts';
import type { GatewayParts } from '../parts.ts';
import { imagineAct } from './hypothetical-act.ts';
import { imagineCall } from './hypothetical-call.ts';
import { strangerIn } from './named-principal.ts';
import type { Asking, CandidateTrial, PolicyDesk, Shadow } from './ports.ts';
import { decisionOf } from './recorded-decision.ts';
import { recordedDecisions } from './recorded-decisions.ts';
import { refuseWidening } from './widening.ts';

/** The rules as people see, try and change them. */
export class PolicyFlows {
  /** What needs no flow of ours. */
  readonly desk: PolicyDesk;
  readonly #parts: GatewayParts;
  readonly #journal: JournalReader;

  constructor(parts: GatewayParts, journal: JournalReader) {
    this.desk = parts.policyDesk;
    this.#parts = parts;
    this.#journal = journal;
  }

  /**
   * Whether a caller may do what a permission is for: who has it not is refused whatever rules say.
   * Contract: rejects with PERMISSION_DENIED; `undefined` is what every caller may.
   */
  async authorise(caller: Caller, permission: Permission | undefined): Promise<void> {
    const { policy } = this.#parts;
    if (permission === undefined) return await policy.authorise(caller, permission);
    const lack = lackOf(caller, permission);
    if (lack === undefined) return await policy.authorise(caller, permission);
    await policy.turnAway(caller, permission, lack.message);
    throw lack;
  }

  async explain(
    { subject }: Pick<ExplainDecisionRequest, 'subject'>,
    caller: Caller,
  ): Promise<PolicyExplanation> {
    switch (subject.case) {
      case 'entryId': {
        const entry = await this.#journal.find(subject.value);
        return await this.desk.explain(await decisionOf(entry, this.#parts.journal));
      }
      case 'call': {
        const call = await imagineCall(subject.value, caller, this.#parts);
        const { facts = {}, connection, principal } = subject.value;
        const explanation = await this.desk.foresee(call, facts, connection);
        return await this.#ofStranger(explanation, principal);
      }
      case 'act': {
        const act = await imagineAct(subject.value, caller, this.#parts);
        const { facts = {}, principal } = subject.value;
        return await this.#ofStranger(await this.desk.foreseeAct(act, facts), principal);
      }
      case undefined:
        throw new PalyraError(
          'INVALID_INPUT',
          'neither an entry nor a call nor an action is named',
        );
    }
  }

  /** A name with a mistake in it must not look like a rule that works, nor get a rule of its own. */
  async #ofStranger(explanation: PolicyExplanation, principal: string): Promise<PolicyExplanation> {
    const name = await strangerIn(principal, this.#parts.identity);
    if (name === undefined) return explanation;
    const stranger = `${quote(name)} is no member of this gateway, and so has no role`;
    return create(PolicyExplanationSchema, {
      ...explanation,
      missing: [stranger, ...explanation.missing],
      smallestRule: '',
      smallestRuleEffect: '',
      help: '`palyra access members list` shows who is, `palyra access members add` adds somebody',
    });
  }

  /** Contract: `since` absent for the whole journal. */
  backtest(
    candidate: PolicyCandidate,
    since: Date | undefined,
    asker: Asker,
  ): AsyncIterable<BacktestProgress> {
    const journal = recordedDecisions(this.#parts.journal, since);
    return this.desk.backtest(candidate, journal, askingOf(asker));
  }

  async check(candidate: PolicyCandidate, asker: Asker): Promise<CheckPolicyResponse> {
    return await this.desk.check(candidate, askingOf(asker));
  }

  async test(trial: CandidateTrial, asker: Asker): Promise<TestPolicyResponse> {
    return await this.desk.test(trial, askingOf(asker));
  }

  async compare(
    old: PolicyCandidate,
    candidate: PolicyCandidate,
    asker: Asker,
  ): Promise<PolicyDifference> {
    return await this.desk.compare(old, candidate, askingOf(asker));
  }

  /** What would have been decided otherwise since it was started. */
  async shadowReport(asker: Asker): Promise<ShadowReport> {
    const shadow = await this.desk.shadow();
    if (shadow === undefined) {
      throw new PalyraError('NOT_FOUND', 'no candidate is tried as a shadow', {
        help: 'start one with `palyra policy shadow start`',
      });
    }
    return { ...shadow, report: await this.#reportOn(shadow, asker) };
  }

  /** Contract: it is stopped even when its report cannot be made. */
  async stopShadow(asker: Asker): Promise<ShadowReport> {
    const shadow = await this.desk.stopShadow(asker.caller.actor);
    return { ...shadow, report: await this.#reportOn(shadow, asker) };
  }

  async #reportOn({ policySetHash, startedAt }: Shadow, asker: Asker) {
    let report: BacktestReport | undefined;
    for await (const progress of this.backtest(setOf(policySetHash), startedAt, asker)) {
      report = progress.report;
    }
    if (report !== undefined) return report;
    throw new PalyraError('UNEXPECTED', 'the decisions ended without a report');
  }

  /**
   * Makes files, or those of an earlier set, the operator's layer. Contract: POLICY_WIDENED when anybody
   * gains by it and that is not said to be meant.
   */
  async apply(
    { candidate, iMeanIt }: Pick<ApplyPolicyRequest, 'candidate' | 'iMeanIt'>,
    asker: Asker,
  ): Promise<ApplyPolicyResponse> {
    if (candidate === undefined) {
      throw new PalyraError('INVALID_INPUT', 'nothing to apply is named');
    }
    const before = this.desk.health().policySetHash;
    const difference = await this.#rehearse(candidate, { ...asker, iMeanIt });
    if (!iMeanIt && difference !== undefined) refuseWidening(difference);
    const change = { candidate, over: difference?.oldHash ?? before };
    const policySetHash = await this.desk.apply(change, asker.caller.actor);
    const compared = difference === undefined ? {} : { difference };
    return create(ApplyPolicyResponseSchema, { policySetHash, ...compared });
  }

  /**
   * Whoever means it is told what changes, but does not depend on it: then `undefined` when that takes
   * too long.
   */
  async #rehearse(
    candidate: PolicyCandidate,
    { iMeanIt, ...asker }: Asker & { readonly iMeanIt: boolean },
  ): Promise<PolicyDifference | undefined> {
    try {
      return await this.desk.rehearse(candidate, askingOf(asker));
    } catch (reason) {
      if (iMeanIt && PalyraError.from(reason).code === 'OVERLOADED') return undefined;
      throw reason;
    }
  }
}

/** Who asks, and until when they wait. */
export interface Asker {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** A person counts once, whatever they act through. */
function askingOf({ caller, signal }: Asker): Asking {
  const { member, principal } = caller;
  return { whose: member === undefined ? principal : `user:${member.userId}`, signal };
}

export interface ShadowReport extends Shadow {
  readonly report: BacktestReport;
}

function setOf(policySetHash: string): PolicyCandidate {
  return create(PolicyCandidateSchema, {
    candidate: { case: 'policySetHash', value: policySetHash },
  });
}
