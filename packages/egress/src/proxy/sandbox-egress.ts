import type { Clock, Log } from '@palyra/kernel';
import type { Ceilings } from '../ceilings.ts';
import type { Dial } from '../dial.ts';
import type { HostRules } from '../host-rule.ts';
import type { SandboxAuthority } from '../interception/authority.ts';
import type { MayConnect } from '../may-connect.ts';
import type { OnRecord } from '../record.ts';
import type { Lookup } from '../resolve.ts';
import type { BoundSecret, SecretPort } from '../secrets.ts';

/** What one sandbox may do; it holds for the sandbox's whole life. */
export interface SandboxEgress {
  readonly id: string;
  readonly rules: HostRules;
  readonly secrets: readonly BoundSecret[];
  readonly ceilings: Ceilings;
  readonly mayConnect: MayConnect;
  /** Contract: does not throw. */
  readonly onRecord: OnRecord;
}

/** What the proxy itself needs of the machine. */
export interface EgressParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly lookup: Lookup;
  readonly dial: Dial;
  readonly secretPort: SecretPort;
  /** Authorities that upstream hosts are trusted by, as PEM; asked for when the first is needed. */
  readonly trusted: () => readonly string[];
}

/** Both, and what has been used up so far. */
export interface Running extends EgressParts {
  readonly sandbox: SandboxEgress;
  readonly authority: () => Promise<SandboxAuthority>;
  readonly meter: Meter;
}

/** The bytes of all connections of a sandbox together. */
export class Meter {
  bytesUp = 0;
  bytesDown = 0;
}
