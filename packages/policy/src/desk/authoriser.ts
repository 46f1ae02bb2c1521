import { type Clock, PalyraError } from '@palyra/kernel';
import { DecisionKind, type Permission } from '@palyra/protocol';
import type { Decider } from '../engine/decider.ts';
import { helpOf, reasonOf } from '../explain/reason.ts';
import type { Matter } from '../request/matter.ts';
import {
  type PermissionCaller,
  requestForMatter,
  requestForPermission,
} from '../request/permission-request.ts';
import { type Asked, isProblem } from '../request/problem.ts';
import type { ActiveRules } from './active-rules.ts';

/** Who asks, and through which door. */
export interface PolicyCaller extends PermissionCaller {
  readonly channel: string;
}

export interface AuthoriserParts {
  readonly rules: Pick<ActiveRules, 'ready' | 'decider'>;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;

interface Allowed {
  /** Another one is another set of rules. */
  readonly decider: Decider;
  /** Rules can tell one minute from the next, and no less. */
  readonly minute: number;
  readonly permissions: Set<Permission | undefined>;
}

/** Whether the rules let a caller do what a permission is for. */
export class Authoriser {
  readonly #parts: AuthoriserParts;
  /** By the caller as it was proven: one that is looked up anew is asked about anew. */
  readonly #allowed = new WeakMap<PolicyCaller, Allowed>();

  constructor(parts: AuthoriserParts) {
    this.#parts = parts;
  }

  /** Contract: rejects with PERMISSION_DENIED, which names the rule; `undefined` is for everybody. */
  async authorise(caller: PolicyCaller, permission: Permission | undefined): Promise<void> {
    const now = this.#parts.clock.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const decider = this.#parts.rules.ready ?? (await this.#parts.rules.decider());
    const known = this.#allowed.get(caller);
    const isKnown = known?.decider === decider && known.minute === minute;
    if (isKnown && known.permissions.has(permission)) return;

    demandAllowed(
      decider,
      requestForPermission({ caller, permission, channel: caller.channel, now }),
    );
    const permissions = isKnown ? known.permissions : new Set<Permission | undefined>();
    permissions.add(permission);
    this.#allowed.set(caller, { decider, minute, permissions });
  }
  /** The same about runs and sessions of somebody, or about somebody; asked after the permission. */
  async touch(caller: PolicyCaller, matter: Matter): Promise<void> {
    const now = this.#parts.clock.now();
    const decider = this.#parts.rules.ready ?? (await this.#parts.rules.decider());
    demandAllowed(decider, requestForMatter({ caller, matter, channel: caller.channel, now }));
  }
}

function demandAllowed(decider: Decider, request: Asked): void {
  if (isProblem(request)) throw new PalyraError('PERMISSION_DENIED', request.problem);
  const decision = decider.decide(request);
  if (decision.kind === DecisionKind.ALLOW) return;
  throw new PalyraError('PERMISSION_DENIED', reasonOf(decision), { help: helpOf(decision) });
}
