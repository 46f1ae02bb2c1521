import { PalyraError } from '@palyra/kernel';
import { PrincipalKind, Role, type Run, type Session } from '@palyra/protocol';
import type { Caller } from '../identity/caller.ts';

/**
 * Whose runs and sessions somebody may touch. Every door asks here, beside what the permission of
 * the call and the rules say: those tell who may use sessions at all, this tells whose.
 *
 * The journal is not asked about here: it is one chain, and who reads it to prove it reads all of it.
 * Every member has `observability.read`, and people see of one another what is done here anyway. A
 * token has it only when an admin gave it just that; what it may see of runs is then no longer its own
 * alone. `sessions.use` never opens it.
 */
export type Toucher = Pick<Caller, 'principal' | 'kind' | 'member'>;

type Owned = Pick<Run, 'runId' | 'principal'> | Pick<Session, 'sessionId' | 'principal'>;

/**
 * To speak in it, go on with it, branch from it, or name and shelve it: what is said there is told to
 * the model as the words of the one whose it is, so nobody does that for them, whatever their role.
 */
export function checkIsOwn(thing: Owned, { principal }: Pick<Toucher, 'principal'>): void {
  if (thing.principal !== principal)
    throw notTheirs(thing, 'ask them, or begin a session of your own');
}

/** To stop it, or take back what it did: admins may too, when they come as people. */
export function checkMayStop(thing: Owned, { principal, kind, member }: Toucher): void {
  const isAdmin = kind === PrincipalKind.USER && (member?.role ?? Role.UNSPECIFIED) >= Role.ADMIN;
  if (thing.principal !== principal && !isAdmin) throw notTheirs(thing, 'ask them, or an admin');
}

export function checkMaySee(thing: Owned, caller: Toucher): void {
  const { principal = thing.principal } = sightOf(caller);
  if (thing.principal !== principal) throw notTheirs(thing, 'only people see what others do');
}

/** Of whom somebody sees the runs and sessions: people of everybody, all else only its own. */
export function sightOf({ principal, kind }: Toucher): { readonly principal?: string } {
  return kind === PrincipalKind.USER ? {} : { principal };
}

function notTheirs(thing: Owned, help: string): PalyraError {
  const name = 'runId' in thing ? `run \`${thing.runId}\`` : `session \`${thing.sessionId}\``;
  return new PalyraError('PERMISSION_DENIED', `${name} is somebody else's`, { help });
}
