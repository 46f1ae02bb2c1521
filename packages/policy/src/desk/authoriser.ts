import { ROLES_HELP } from './as-doors-have.ts';
import { type Clock, PalyraError, permissionWord } from '@palyra/kernel';
import {
  DecisionKind,
  type Permission,
  type PolicyRequest as PolicyRequestMessage,
} from '@palyra/protocol';
import type { Decider } from '../engine/decider.ts';
import { helpOf, reasonOf } from '../explain/reason.ts';
import type { PolicyDecision } from '../model.ts';
import { type Connecting, HOST_CONNECT, requestsForConnection } from '../request/connection.ts';
import type { Matter } from '../request/matter.ts';
import {
  type PermissionCaller,
  requestForMatter,
  requestForPermission,
} from '../request/permission-request.ts';
import { type Asked, isProblem } from '../request/problem.ts';
import { readRequest } from '../request/read-request.ts';
import type { ActiveRules } from './active-rules.ts';
import type { Refusals, Refused } from './refusals.ts';

/** Who asks, and through which door. */
export interface PolicyCaller extends PermissionCaller {
  readonly channel: string;
}

/** One who has proven who they are. */
export interface ProvenCaller extends PolicyCaller {
  /** As the journal names them. */
  readonly actor: string;
}

/** For whom something is done, and who does it. */
export type Behind = Pick<ProvenCaller, 'principal' | 'actor' | 'channel' | 'deviceId'>;

/** A connection that a call which was allowed is about to make. */
export interface ConnectionAsked {
  readonly behind: Behind;
  /** What the rules were asked about the call when they allowed it. */
  readonly asked: PolicyRequestMessage;
  readonly to: Connecting;
}

export interface AuthoriserParts {
  readonly rules: Pick<ActiveRules, 'ready' | 'decider'>;
  readonly clock: Clock;
  readonly refusals: Pick<Refusals, 'note'>;
}

const MINUTE_MS = 60_000;

interface Allowed {
  /** Another one is another set of rules. */
  readonly decider: Decider;
  /** Rules can tell one minute from the next, and no less. */
  readonly minute: number;
  readonly permissions: Set<Permission | undefined>;
}

/** Whether the rules let a caller do what a permission is for. What they refuse is journaled. */
export class Authoriser {
  readonly #parts: AuthoriserParts;
  /** By the caller as it was proven: one that is looked up anew is asked about anew. */
  readonly #allowed = new WeakMap<PolicyCaller, Allowed>();

  constructor(parts: AuthoriserParts) {
    this.#parts = parts;
  }

  /** Contract: rejects with PERMISSION_DENIED, which names the rule; `undefined` is for everybody. */
  async authorise(caller: ProvenCaller, permission: Permission | undefined): Promise<void> {
    const now = this.#parts.clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const decider = this.#parts.rules.ready ?? (await this.#parts.rules.decider());
    const known = this.#allowed.get(caller);
    const isKnown = known?.decider === decider && known.minute === minute;
    if (isKnown && known.permissions.has(permission)) return;

    const asked = requestForPermission({ caller, permission, channel: caller.channel, now });
    const action = permission === undefined ? 'status.read' : permissionWord(permission);
    await this.#demandAllowed(decider, { caller, action, asked });
    const permissions = isKnown ? known.permissions : new Set<Permission | undefined>();
    permissions.add(permission);
    this.#allowed.set(caller, { decider, minute, permissions });
  }

  /** The same about runs and sessions of somebody, or about somebody; asked after the permission. */
  async touch(caller: ProvenCaller, matter: Matter): Promise<void> {
    const { decider, asked } = await this.#about(caller, matter);
    await this.#demandAllowed(decider, { caller, action: matter.action, asked });
  }

  /** Contract: nobody is refused anything by it, so nothing is journaled. */
  async mayTouch(caller: PolicyCaller, matter: Matter): Promise<boolean> {
    const { decider, asked } = await this.#about(caller, matter);
    return answerTo(decider, asked).isAllowed;
  }

  /**
   * Journals what the doors refused for want of a permission. No rule had a part in that, and none could
   * change it, so no question is on record. Contract: as `decider` of the rules.
   */
  async turnAway(caller: ProvenCaller, permission: Permission, reason: string): Promise<void> {
    const { rules, refusals } = this.#parts;
    const { setHash: policySetHash } = rules.ready ?? (await rules.decider());
    const action = permissionWord(permission);
    const why = { reason, help: ROLES_HELP, ruleIds: [], policySetHash };
    await refusals.note(refusedOf({ caller, action }, why));
  }

  /** Whether a call that is under way may connect there. Contract: a no is in the journal before it is told. */
  async mayConnect({ behind, asked, to }: ConnectionAsked): Promise<boolean> {
    const { rules, clock, refusals } = this.#parts;
    const decider = rules.ready ?? (await rules.decider());
    const call = readRequest(asked);
    const questions =
      call === undefined ? [UNREADABLE] : requestsForConnection(call, to, clock.now());
    for (const question of questions) {
      const answer = answerTo(decider, question);
      if (answer.isAllowed) continue;
      const attempt = { caller: behind, action: HOST_CONNECT, asked: question };
      await refusals.note(refusedOf(attempt, answer.why));
      return false;
    }
    return true;
  }

  async #about(caller: PolicyCaller, matter: Matter) {
    const { rules, clock } = this.#parts;
    const decider = rules.ready ?? (await rules.decider());
    const { channel } = caller;
    return { decider, asked: requestForMatter({ caller, matter, channel, now: clock.now() }) };
  }

  async #demandAllowed(decider: Decider, attempt: Attempt): Promise<void> {
    const answer = answerTo(decider, attempt.asked);
    if (answer.isAllowed) return;
    const { reason, help } = answer.why;
    await this.#parts.refusals.note(refusedOf(attempt, answer.why));
    throw new PalyraError('PERMISSION_DENIED', reason, help === '' ? {} : { help });
  }
}

const UNREADABLE = { problem: 'what the rules were asked about the call cannot be read' };

interface Attempt {
  readonly caller: Behind;
  readonly action: string;
  readonly asked: Asked;
}

type Why = Pick<Refused, 'reason' | 'help' | 'ruleIds' | 'policySetHash'>;
type Answer = { readonly isAllowed: true } | { readonly isAllowed: false; readonly why: Why };

function answerTo(decider: Decider, asked: Asked): Answer {
  if (!isProblem(asked)) {
    const decision = decider.decide(asked);
    const isAllowed = decision.kind === DecisionKind.ALLOW;
    return isAllowed ? { isAllowed } : { isAllowed, why: whyOf(decision) };
  }
  const policySetHash = decider.setHash;
  return { isAllowed: false, why: { reason: asked.problem, help: '', ruleIds: [], policySetHash } };
}

function whyOf(decision: PolicyDecision): Why {
  return {
    reason: reasonOf(decision),
    help: helpOf(decision),
    ruleIds: decision.rules.map(({ id }) => id),
    policySetHash: decision.setHash,
  };
}

/** Without a question where no rule was asked. */
function refusedOf(
  { caller, action, asked }: Omit<Attempt, 'asked'> & Partial<Attempt>,
  why: Why,
): Refused {
  const { principal, actor, channel, deviceId = '' } = caller;
  const question = asked === undefined || isProblem(asked) ? {} : { asked };
  return { principal, actor, channel, deviceId, action, ...question, ...why };
}
