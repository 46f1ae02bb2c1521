import { quote } from '@palyra/kernel';
import { PrincipalKind, type Role } from '@palyra/protocol';
import type { EntityRef, PolicyEntity } from '../model.ts';
import type { RequestProblem } from './problem.ts';
import { reference, rolesUpTo, sortedSet } from './words.ts';

/** Who asks, with the rights that they have now. */
export interface Who {
  /** `user:01J…`, `token:01J…` */
  readonly principal: string;
  readonly kind: PrincipalKind;
  /** The member behind it, `user:01J…`; empty for what acts for nobody. */
  readonly member: string;
  readonly name: string;
  readonly role: Role;
  /** Words of permissions; only a token's are told to the rules. */
  readonly scopes: readonly string[];
}

export interface PrincipalFacts {
  readonly principal: EntityRef;
  readonly entities: readonly PolicyEntity[];
}

/** The principal and what it is part of: all that Cedar has to be told of it. */
export function principalFacts(who: Who): PrincipalFacts | RequestProblem {
  const type = TYPES.get(who.kind);
  if (type === undefined) return { problem: `nobody knows what ${quote(who.principal)} is` };
  const id = idOf(who.principal, type);
  if (id === '') return { problem: `${quote(who.principal)} is no ${type.toLowerCase()}` };
  return type === 'Token' ? tokenFacts(who, id) : onlyItself(who, { type, id });
}

const TYPES: ReadonlyMap<PrincipalKind, string> = new Map([
  [PrincipalKind.USER, 'User'],
  [PrincipalKind.TOKEN, 'Token'],
  [PrincipalKind.DEVICE, 'Device'],
  [PrincipalKind.AGENT, 'Agent'],
  [PrincipalKind.WORKER, 'Worker'],
]);

/** Empty when the name says something else than the kind. */
function idOf(principal: string, type: string): string {
  const prefix = `${type.toLowerCase()}:`;
  return principal.startsWith(prefix) ? principal.slice(prefix.length) : '';
}

function onlyItself(who: Who, principal: EntityRef): PrincipalFacts {
  const parents = principal.type === 'User' ? rolesOf(who) : [];
  return {
    principal,
    entities: [{ uid: principal, attrs: attributesOf(who, principal), parents }],
  };
}

function attributesOf(who: Who, { type }: EntityRef): PolicyEntity['attrs'] {
  if (type === 'User') return { name: who.name };
  if (type === 'Agent') return { actsFor: who.member };
  // What sort of device it is, nobody who asks for it can prove.
  if (type === 'Device') return { kind: 'unknown' };
  return {};
}

function tokenFacts(who: Who, id: string): PrincipalFacts | RequestProblem {
  const owner = reference('User', idOf(who.member, 'User'));
  if (owner.id === '') return { problem: `the token ${quote(who.principal)} belongs to nobody` };
  const principal = { type: 'Token', id };
  const parents = rolesOf(who);
  const token = { uid: principal, attrs: { owner, scopes: sortedSet(who.scopes) }, parents };
  return { principal, entities: [token, { uid: owner, attrs: { name: who.name }, parents }] };
}

function rolesOf({ role }: Who): EntityRef[] {
  return rolesUpTo(role).map((word) => reference('Role', word));
}
