import { create } from '@bufbuild/protobuf';
import { type Clock, type JsonObject, PalyraError, quote } from '@palyra/kernel';
import {
  DecisionKind,
  type GetPolicyResponse,
  GetPolicyResponseSchema,
  type PolicyCandidate,
  type PolicyDifference,
  PolicyDifferenceSchema,
  type PolicyExplanation,
  type ReloadPolicyResponse,
  ReloadPolicyResponseSchema,
  type ToolDecision,
} from '@palyra/protocol';
import type { KnownTool } from '../compare/difference.ts';
import { UTMOST_TERMS, approvalOn } from '../engine/approval-terms.ts';
import type { Engine } from '../engine/engine.ts';
import { inContext } from '../engine/evaluation.ts';
import { asRecorded } from '../explain/as-recorded.ts';
import { ruleMessage } from '../explain/explanation.ts';
import { explainUnasked } from '../explain/unasked.ts';
import type { ModeInForce, PolicyFile, RuleSet, PolicyRequest } from '../model.ts';
import { type CallToJudge, requestForCall } from '../request/call-request.ts';
import type { OwnGround } from '../request/own-ground.ts';
import { type Asked, isProblem } from '../request/problem.ts';
import { type Connecting, HOST_CONNECT, requestsForConnection } from '../request/connection.ts';
import { type Matter, isMatter, permissionFor } from '../request/matter.ts';
import { requestForMatter, requestForPermission } from '../request/permission-request.ts';
import { readRequest } from '../request/read-request.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import type { Sets } from '../sets/sets.ts';
import { nearest } from '../sets/suggestion.ts';
import type { ActiveRules } from './active-rules.ts';
import { asDoorsHave } from './as-doors-have.ts';
import { assumedFacts, assumedTime } from './assumed-facts.ts';
import type { PolicyCaller } from './authoriser.ts';
import { Explainer } from './explainer.ts';
import type { JobSlots } from './job-slots.ts';
import type { ShadowRecord } from './shadow.ts';
import { withinLimit } from './time-limit.ts';
import {
  differenceMessage,
  fileMessage,
  operatorFiles,
  problemLine,
  problemMessage,
} from './wire.ts';

export interface DeskParts {
  readonly sets: Sets;
  readonly engine: Engine;
  readonly rules: ActiveRules;
  readonly shadows: ShadowRecord;
  readonly tools: readonly KnownTool[];
  /** Those of them that rules may name. */
  readonly nameable: KnownTools;
  readonly slots: JobSlots;
  readonly clock: Clock;
  readonly ownIn: (workspace: string) => OwnGround;
}

/** What somebody would do with the gateway. */
export interface ImaginedAct {
  readonly caller: PolicyCaller;
  /** A permission, or what is done with runs and sessions, or with those who may come in. */
  readonly action: string;
  readonly matter?: Matter;
}

/** One that a call would make. */
export type ImaginedConnection = Pick<Connecting, 'host' | 'port'>;

export interface OperatorChange {
  readonly candidate: PolicyCandidate;
  readonly over: string;
}

/** For whom something is done that takes a process, and until when they wait. */
export interface Asking {
  readonly whose: string;
  readonly signal: AbortSignal;
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
/** Changes that people make take seconds. */
const COMPARE_LIMIT_MS = 60_000;

/** What people ask of the rules, beside having them decide. */
export class Desk {
  readonly #parts: DeskParts;
  readonly #explainer: Explainer;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#explainer = new Explainer({ ...parts, inForce: () => parts.sets.inForce()?.set });
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
      files: set.files.map(fileMessage),
    });
  }

  /** What was decided then, and the rules of its day. */
  async explain(decision: ToolDecision): Promise<PolicyExplanation> {
    if (decision.asked === undefined) return explainUnasked(decision);
    const request = readRequest(decision.asked);
    if (request === undefined) {
      throw new PalyraError('NOT_FOUND', 'what the rules were asked cannot be read any more');
    }
    const find = () => this.#setNamed(decision.policySetHash);
    return asRecorded(await this.#explainer.explain(request, find), decision);
  }

  async foresee(
    call: CallToJudge,
    facts: JsonObject,
    connection?: ImaginedConnection,
  ): Promise<PolicyExplanation> {
    const { time, range, ...assumed } = assumedFacts(facts);
    const { clock, ownIn, nameable } = this.#parts;
    const now = time ?? clock.now();
    const setting = { now, own: ownIn(call.proposal.workspace ?? '') };
    const request = requestForCall({ ...call, ...assumed }, setting);
    if (isProblem(request)) {
      throw new PalyraError('INVALID_INPUT', `the call cannot be judged: ${request.problem}`);
    }
    if (connection !== undefined) {
      const leadsTo = [{ range: range ?? 'public', isListed: false }];
      return await this.#foreseeConnection(request, { ...connection, leadsTo }, now);
    }
    if (range !== undefined) throw rangeOfNothing();
    const explanation = await this.#explainer.explain(request);
    const { tool } = call.proposal;
    if (nameable.names.has(tool)) return explanation;
    // Whoever asks is a person: no model hears what else there is.
    const meant = nearest(tool, nameable.names);
    const guess = meant === undefined ? '' : `did you mean \`${meant}\`? `;
    return { ...explanation, help: `${guess}${explanation.help}` };
  }

  /** Asked about only once its call is allowed, as if everybody had approved it; whichever refuses is explained. */
  async #foreseeConnection(
    call: PolicyRequest,
    to: Connecting,
    now: Date,
  ): Promise<PolicyExplanation> {
    const { kind, request } = (await this.#parts.rules.decider()).decide(call);
    if (kind === DecisionKind.DENY) return await this.#explainer.explain(call);
    const approval = kind === DecisionKind.ALLOW ? {} : { approval: approvalOn(UTMOST_TERMS) };
    const [asked] = requestsForConnection(inContext(request, approval), to, now);
    return await this.#explainAsked(asked ?? { problem: 'there is nothing to ask' });
  }

  /** A matter is looked at only once the call itself is allowed; whichever refuses is explained. */
  async foreseeAct(
    { caller, action, matter }: ImaginedAct,
    facts: JsonObject,
  ): Promise<PolicyExplanation> {
    const asked = {
      caller,
      channel: caller.channel,
      now: assumedTime(facts) ?? this.#parts.clock.now(),
    };
    const permission = permissionFor(action);
    const isKnown = matter === undefined ? permission !== undefined : isMatter(action);
    if (!isKnown && action !== STATUS) throw noSuchAction(action);
    const told = await this.#explainAsked(requestForPermission({ ...asked, permission }));
    const first = permission === undefined ? told : asDoorsHave(told, caller, permission);
    if (matter === undefined || first.kind !== DecisionKind.ALLOW) return first;
    return await this.#explainAsked(requestForMatter({ ...asked, matter }));
  }

  async #explainAsked(request: Asked): Promise<PolicyExplanation> {
    if (!isProblem(request)) return await this.#explainer.explain(request);
    throw new PalyraError('INVALID_INPUT', `it cannot be judged: ${request.problem}`);
  }

  /** Contract: OVERLOADED when it takes too long, or too many compare already. */
  async compare(
    old: PolicyCandidate,
    candidate: PolicyCandidate,
    { whose, signal }: Asking,
  ): Promise<PolicyDifference> {
    using _slot = this.#parts.slots.take('compare', whose);
    return await this.#difference(await this.setOf(old), await this.setOf(candidate), signal);
  }

  /** What applying a candidate would change. Contract: as `compare`, whoever compares meanwhile. */
  async rehearse(candidate: PolicyCandidate, { whose, signal }: Asking): Promise<PolicyDifference> {
    const { slots, sets } = this.#parts;
    using _slot = slots.take('apply', whose);
    const before = await this.#setNamed(ACTIVE);
    const after = await sets.candidate(await this.layerOf(candidate), 'force');
    return await this.#difference(before, after, signal);
  }

  async #difference(
    old: RuleSet,
    candidate: RuleSet,
    signal: AbortSignal,
  ): Promise<PolicyDifference> {
    signal.throwIfAborted();
    if (old.hash === candidate.hash) return sameRules(old);
    const { compare } = await import('../compare/backtest.ts');
    const { tools } = this.#parts;
    const difference = await withinLimit({ limitMs: COMPARE_LIMIT_MS, signal }, (limited) =>
      compare({ old, candidate, tools }, limited),
    );
    return differenceMessage(difference);
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

  async apply({ candidate, over }: OperatorChange, actor: string): Promise<string> {
    const files = await this.layerOf(candidate);
    const { hash } = await this.#parts.sets.apply(files, { over, actor });
    return hash;
  }

  /** The operator's layer of a candidate; a way back changes no other one. */
  async layerOf({ candidate }: PolicyCandidate): Promise<readonly PolicyFile[]> {
    switch (candidate.case) {
      case 'files':
        return operatorFiles(candidate.value.files);
      case 'policySetHash': {
        const { files } = await this.#setNamed(candidate.value);
        return files.filter(({ layer }) => layer === 'operator');
      }
      case undefined:
        throw nothingNamed();
    }
  }

  /** Contract: POLICY_INVALID for files that cannot be taken, NOT_FOUND for a set that is not kept. */
  async setOf({ candidate }: PolicyCandidate): Promise<RuleSet> {
    switch (candidate.case) {
      case 'files':
        return await this.#parts.sets.candidate(operatorFiles(candidate.value.files));
      case 'policySetHash':
        return await this.#setNamed(candidate.value);
      case undefined:
        throw nothingNamed();
    }
  }

  /** By the word for what is in force, by its hash, or by how that begins. */
  async #setNamed(name: string): Promise<RuleSet> {
    const { sets } = this.#parts;
    if (PREFIX.test(name)) return await this.#setNamed(onlyOne(await sets.hashesLike(name), name));
    const set = name === ACTIVE ? sets.inForce()?.set : await sets.find(name);
    if (set !== undefined) return set;
    throw notKept(name);
  }
}

/** Of a hash: long enough that two rarely share it, and never the whole. */
const PREFIX = /^[0-9a-f]{8,63}$/;

function onlyOne([hash, other]: readonly string[], prefix: string): string {
  if (hash === undefined) throw notKept(prefix);
  if (other === undefined) return hash;
  throw new PalyraError(
    'INVALID_INPUT',
    `more than one set of rules begins with ${quote(prefix)}`,
    {
      help: 'write more of its hash',
    },
  );
}

function notKept(name: string): PalyraError {
  return new PalyraError('NOT_FOUND', `the set of rules ${quote(name)} is not kept here`, {
    help: 'the hash of a set is in every decision of the journal; a folder of that name is `./NAME`',
  });
}

function rangeOfNothing(): PalyraError {
  return new PalyraError('INVALID_INPUT', '`range` is a fact of a connection, and none is named', {
    help: 'name it with `--connect HOST:PORT`',
  });
}

/** Open to everybody, and so the only one that needs no permission. */
const STATUS = 'status.read';

const OF_A_CALL: ReadonlySet<string> = new Set(['tool.execute', 'tool.unattended', HOST_CONNECT]);

function noSuchAction(action: string): PalyraError {
  return new PalyraError('INVALID_INPUT', `nothing is known as ${quote(action)}`, {
    help: OF_A_CALL.has(action)
      ? 'it is done by a call: name that with `--tool`, and a connection of it with `--connect`'
      : 'name a permission, `workspace.open`, or one of `work.…` and `people.…`; `palyra policy list` shows rules on them',
  });
}

function nothingNamed(): PalyraError {
  return new PalyraError('INVALID_INPUT', 'neither files nor the hash of a set is named');
}

/** Nobody need be asked anything to know it. */
function sameRules({ hash }: RuleSet): PolicyDifference {
  return create(PolicyDifferenceSchema, { oldHash: hash, newHash: hash });
}
