import { create } from '@bufbuild/protobuf';
import { type Clock, type JsonObject, PalyraError, quote } from '@palyra/kernel';
import {
  type GetPolicyResponse,
  GetPolicyResponseSchema,
  type PolicyCandidate,
  type PolicyDifference,
  PolicyDifferenceSchema,
  type PolicyExplanation,
  type PolicyFile as PolicyFileMessage,
  type ReloadPolicyResponse,
  ReloadPolicyResponseSchema,
  type ToolDecision,
} from '@palyra/protocol';
import type { KnownTool } from '../compare/difference.ts';
import { decide } from '../engine/decide.ts';
import type { Engine } from '../engine/engine.ts';
import { ruleMessage, toMessage } from '../explain/explanation.ts';
import type { ModeInForce, RuleSet } from '../model.ts';
import { type CallToJudge, requestForCall } from '../request/call-request.ts';
import { isProblem } from '../request/problem.ts';
import { readRequest } from '../request/read-request.ts';
import type { Sets } from '../sets/sets.ts';
import type { ActiveRules } from './active-rules.ts';
import { assumedFacts } from './assumed-facts.ts';
import type { JobSlots } from './job-slots.ts';
import type { ShadowRecord } from './shadow.ts';
import { differenceMessage, operatorFiles, problemLine, problemMessage } from './wire.ts';

export interface DeskParts {
  readonly sets: Sets;
  readonly engine: Engine;
  readonly rules: ActiveRules;
  readonly shadows: ShadowRecord;
  readonly tools: readonly KnownTool[];
  readonly slots: JobSlots;
  readonly clock: Clock;
}

export interface OperatorChange {
  readonly files: readonly PolicyFileMessage[];
  readonly over: string;
}

/** What a status tells. */
export interface PolicyStanding {
  readonly mode: ModeInForce;
  readonly policySetHash: string;
  readonly rules: number;
  /** One line each. */
  readonly problems: readonly string[];
}

/** In force, by this word. */
const ACTIVE = 'active';

/** What people ask of the rules, beside having them decide. */
export class Desk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  health(): PolicyStanding {
    const { sets } = this.#parts;
    const set = sets.inForce()?.set;
    return {
      mode: set?.mode ?? 'closed',
      policySetHash: set?.hash ?? '',
      rules: set?.rules.length ?? 0,
      problems: sets.problems().map(problemLine),
    };
  }

  async show(setHash: string): Promise<GetPolicyResponse> {
    const { sets, engine, shadows } = this.#parts;
    const set = await this.#setNamed(setHash === '' ? ACTIVE : setHash);
    const inForce = sets.inForce();
    const shadow = await shadows.get();
    return create(GetPolicyResponseSchema, {
      policySetHash: set.hash,
      mode: set.mode,
      engine: engine.version,
      rules: set.rules.map(ruleMessage),
      problems: sets.problems().map(problemMessage),
      changedAt: inForce?.set.hash === set.hash ? inForce.changedAt.toISOString() : '',
      shadowHash: shadow?.policySetHash ?? '',
    });
  }

  /** With the rules of its day. */
  async explain(decision: ToolDecision): Promise<PolicyExplanation> {
    const request = decision.asked && readRequest(decision.asked);
    if (request === undefined) {
      throw new PalyraError('NOT_FOUND', `the rules were never asked: ${decision.reason}`);
    }
    const set = await this.#setNamed(decision.policySetHash);
    const { explain } = await import('../explain/explain.ts');
    // From here on nothing else may be loaded in its place before it is explained.
    const loaded = await this.#parts.engine.load(set, 'scratch');
    return toMessage(await explain(loaded, decide(loaded, request)));
  }

  async foresee(call: CallToJudge, facts: JsonObject): Promise<PolicyExplanation> {
    const { time, ...assumed } = assumedFacts(facts);
    const request = requestForCall({ ...call, ...assumed }, time ?? this.#parts.clock.now());
    if (isProblem(request)) {
      throw new PalyraError('INVALID_INPUT', `the call cannot be judged: ${request.problem}`);
    }
    const { explain } = await import('../explain/explain.ts');
    const loaded = await this.#parts.rules.loaded();
    return toMessage(await explain(loaded, decide(loaded, request)));
  }

  async compare(old: PolicyCandidate, candidate: PolicyCandidate): Promise<PolicyDifference> {
    using _slot = this.#parts.slots.take();
    const [before, after] = [await this.setOf(old), await this.setOf(candidate)];
    if (before.hash === after.hash) return sameRules(before);
    const { compare } = await import('../compare/backtest.ts');
    return differenceMessage(await compare(before, after, this.#parts.tools));
  }

  async reload(actor: string): Promise<ReloadPolicyResponse> {
    const { sets } = this.#parts;
    const { changed, problems } = await sets.reload(actor);
    return create(ReloadPolicyResponseSchema, {
      policySetHash: sets.inForce()?.set.hash ?? '',
      changed,
      problems: problems.map(problemMessage),
    });
  }

  async apply({ files, over }: OperatorChange, actor: string): Promise<string> {
    const { hash } = await this.#parts.sets.apply(operatorFiles(files), { over, actor });
    return hash;
  }

  /** Contract: POLICY_INVALID for files that cannot be taken, NOT_FOUND for a set that is not kept. */
  async setOf({ candidate }: PolicyCandidate): Promise<RuleSet> {
    switch (candidate.case) {
      case 'files':
        return await this.#parts.sets.candidate(operatorFiles(candidate.value.files));
      case 'policySetHash':
        return await this.#setNamed(candidate.value);
      case undefined:
        throw new PalyraError('INVALID_INPUT', 'neither files nor the hash of a set is named');
    }
  }

  async #setNamed(name: string): Promise<RuleSet> {
    const { sets } = this.#parts;
    const set = name === ACTIVE ? sets.inForce()?.set : await sets.find(name);
    if (set !== undefined) return set;
    throw new PalyraError('NOT_FOUND', `the set of rules ${quote(name)} is not kept here`, {
      help: 'a decision of another store, or of before the rules were kept, cannot be explained',
    });
  }
}

/** Nobody need be asked anything to know it. */
function sameRules({ hash }: RuleSet): PolicyDifference {
  return create(PolicyDifferenceSchema, { oldHash: hash, newHash: hash });
}
