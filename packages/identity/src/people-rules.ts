import type { Role } from '@palyra/protocol';
import type { Caller } from './caller.ts';

/** Who may do what with whom: rules say it, and this box asks them where it writes. */
export interface PeopleRules {
  /** Contract: rejects with PERMISSION_DENIED, which names the rule. */
  touch(caller: Caller, matter: PeopleMatter): Promise<void>;
}

export interface PeopleMatter {
  readonly action: PeopleAction;
  readonly member: {
    /** Empty for one who is only to be added. */
    readonly userId: string;
    /** That they have, or are to get. */
    readonly role: Role;
  };
}

/** As the schema of the rules has them. */
export type PeopleAction =
  | 'people.change'
  | 'people.admit'
  | 'people.unpair'
  | 'people.revoke'
  | 'people.rotate';
