import { getCACertificates } from 'node:tls';
import { type Clock, type Log, PalyraError } from '@palyra/kernel';
import { type Ceilings, DEFAULT_CEILINGS } from '../ceilings.ts';
import { type Dial, dialOnSystem } from '../dial.ts';
import type { HostRules } from '../host-rule.ts';
import { createSandboxAuthority, type SandboxAuthority } from '../interception/authority.ts';
import type { MayConnect } from '../may-connect.ts';
import type { OnRecord } from '../record.ts';
import { type Lookup, lookupOnSystem, takingTurns } from '../resolve.ts';
import type { BoundSecret, SecretPort } from '../secrets.ts';
import { type EgressParts, Meter, type Running } from './sandbox-egress.ts';

/** What one sandbox may do. The list is kept as it is at the start; `mayConnect` is asked each time. */
export interface EgressOrder {
  /** Names the sandbox in its records. */
  readonly id: string;
  readonly rules: HostRules;
  readonly secrets?: readonly BoundSecret[];
  /** Where they are left out, DEFAULT_CEILINGS hold. */
  readonly ceilings?: Partial<Ceilings>;
  readonly mayConnect: MayConnect;
  /** One for each connection when it has ended. Contract: does not throw. */
  readonly onRecord: OnRecord;
}

export interface ServeOptions {
  readonly clock: Clock;
  /** For faults of the proxy itself; what sandboxes do wrong is in the records. */
  readonly log: Log;
  /** Without one, no secret can be used. */
  readonly secretPort?: SecretPort;
  readonly lookup?: Lookup;
  readonly dial?: Dial;
  /** Authorities that upstream hosts are trusted by, as PEM; the system's unless given. */
  readonly trusted?: readonly string[];
}

/** Contract: looks nobody up and dials nobody. */
export function startRunning(order: EgressOrder, options: ServeOptions): Running {
  const parts: EgressParts = {
    clock: options.clock,
    log: options.log,
    // A sandbox that keeps one of the system's few threads for lookups waiting leaves the others.
    lookup: takingTurns(options.lookup ?? lookupOnSystem, 1),
    dial: options.dial ?? dialOnSystem,
    secretPort: options.secretPort ?? NO_SECRETS,
    trusted: once(() => options.trusted ?? trustedBySystem()),
  };
  const sandbox = {
    id: order.id,
    rules: order.rules,
    secrets: order.secrets ?? [],
    ceilings: Object.freeze({ ...DEFAULT_CEILINGS, ...order.ceilings }),
    mayConnect: order.mayConnect,
    onRecord: order.onRecord,
  };
  const authority = once<Promise<SandboxAuthority>>(() => createSandboxAuthority(options.clock));
  return { ...parts, sandbox, authority, meter: new Meter() };
}

const NO_SECRETS: SecretPort = {
  reveal: () => Promise.reject(new PalyraError('NOT_FOUND', 'there are no secrets here')),
};

/** A machine without a store of its own gets what Node brings. */
function trustedBySystem(): readonly string[] {
  const system = getCACertificates('system');
  return system.length > 0 ? system : getCACertificates('bundled');
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
