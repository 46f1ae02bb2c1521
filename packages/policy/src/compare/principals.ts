import { isForPeopleOnly, PERMISSIONS, permissionWord } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';
import type { Rule } from '../model.ts';
import { type PrincipalFacts, principalFacts, type Who } from '../request/principal.ts';
import { isProblem } from '../request/problem.ts';
import { conjunctsOf, pathOf, walk } from './expression.ts';
import { mayHold } from './held.ts';
import { entityOf, literalOf } from './literal.ts';

/** Somebody who asks, standing for all of a kind. */
export interface ProbedPrincipal {
  /** As a person would say it: `operator`, `token of an admin`, `user:01J…`. */
  readonly label: string;
  readonly facts: PrincipalFacts;
  /** Whether their role, or their scopes, leave them the permission of an action. */
  readonly mayHold: (action: string) => boolean;
}

const ROLES = [
  [Role.UNSPECIFIED, 'user without a role', 'token of a user without a role'],
  [Role.OPERATOR, 'operator', 'token of an operator'],
  [Role.ADMIN, 'admin', 'token of an admin'],
  [Role.OWNER, 'owner', 'token of an owner'],
] as const;

/** A rule may name people; so many of them are asked for one by one. */
const MAX_NAMED = 64;
/** A token with none, and one with these and all that rules name. */
const EVERY_SCOPE = [...PERMISSIONS.keys()]
  .filter((permission) => !isForPeopleOnly(permission))
  .map(permissionWord);
const SCOPES = [
  ['', []],
  [' with every scope', EVERY_SCOPE],
] as const;

export function principalsFor(rules: readonly Rule[]): readonly ProbedPrincipal[] {
  const scopes = namedAs('scopes', attributeLiterals(rules));
  const unnamed = [
    ...ROLES.map(([role, label]) =>
      probed(label, who('user:unnamed', PrincipalKind.USER, { role })),
    ),
    ...ROLES.flatMap(([role, , label]) => tokens(role, label, scopes)),
    probed('device', who('device:unnamed', PrincipalKind.DEVICE, {})),
    probed('agent', who('agent:unnamed', PrincipalKind.AGENT, { member: 'user:unnamed' })),
    probed('worker', who('worker:unnamed', PrincipalKind.WORKER, {})),
  ];
  return [...unnamed, ...namedPrincipals(rules), ...namedByAttribute(rules)].flat();
}

function tokens(role: Role, label: string, named: readonly string[]): readonly ProbedPrincipal[] {
  return SCOPES.flatMap(([suffix, some]) => {
    const scopes = some.length === 0 ? some : [...new Set([...some, ...named])];
    const one = who('token:unnamed', PrincipalKind.TOKEN, { role, scopes, member: 'user:unnamed' });
    return probed(`${label}${suffix}`, one);
  });
}

function who(principal: string, kind: PrincipalKind, more: Partial<Who>): Who {
  return {
    principal,
    kind,
    member: '',
    name: 'unnamed',
    role: Role.UNSPECIFIED,
    scopes: [],
    ...more,
  };
}

function probed(label: string, asked: Who): readonly ProbedPrincipal[] {
  const facts = principalFacts(asked);
  if (isProblem(facts)) return [];
  return [{ label, facts, mayHold: (action) => mayHold(asked, action) }];
}

const KINDS: ReadonlyMap<string, PrincipalKind> = new Map([
  ['User', PrincipalKind.USER],
  ['Token', PrincipalKind.TOKEN],
  ['Device', PrincipalKind.DEVICE],
  ['Agent', PrincipalKind.AGENT],
  ['Worker', PrincipalKind.WORKER],
]);

/** Whoever is named may have any role, or none any more. */
function namedPrincipals(rules: readonly Rule[]): readonly ProbedPrincipal[] {
  const named = new Map<string, PrincipalKind>();
  for (const { type, id } of rules.flatMap(entitiesIn)) {
    const kind = KINDS.get(type);
    if (kind !== undefined && named.size < MAX_NAMED)
      named.set(`${type.toLowerCase()}:${id}`, kind);
  }
  const literals = attributeLiterals(rules);
  return [...named].flatMap(([name, kind]) =>
    standingsOf(name, kind, literals).flatMap(({ words, ...standing }) =>
      probed(`${name}${words}`, who(name, kind, standing)),
    ),
  );
}

function standingsOf(name: string, kind: PrincipalKind, literals: Literals): readonly Standing[] {
  if (kind === PrincipalKind.USER) {
    return STANDINGS.map(({ role, words }) => ({ role, words, member: name }));
  }
  if (kind === PrincipalKind.AGENT) {
    const members = ['user:unnamed', ...namedAs('actsFor', literals)];
    return members.map((member) => ({ member, words: '' }));
  }
  if (kind !== PrincipalKind.TOKEN) return [{ words: '' }];
  const every = [...EVERY_SCOPE, ...namedAs('scopes', literals)];
  return STANDINGS.flatMap(({ role, words }) =>
    SCOPES.map(([suffix, some]) => ({
      role,
      member: 'user:unnamed',
      scopes: some.length === 0 ? some : every,
      words: `${words}${suffix}`,
    })),
  );
}

interface Standing extends Partial<Pick<Who, 'role' | 'member' | 'scopes'>> {
  readonly words: string;
}

/** What is found of all that have a role is told of the person. */
export const STANDINGS = [
  { role: Role.UNSPECIFIED, words: ' without a role' },
  { role: Role.OPERATOR, words: ' as an operator' },
  { role: Role.ADMIN, words: ' as an admin' },
  { role: Role.OWNER, words: ' as an owner' },
] as const;

function namedByAttribute(rules: readonly Rule[]): readonly ProbedPrincipal[] {
  return attributeLiterals(rules).flatMap(([attribute, literal]) => {
    if (attribute === 'name') {
      return STANDINGS.flatMap(({ role, words }) => {
        const named = who('user:unnamed', PrincipalKind.USER, { name: literal, role });
        return probed(`user called ${literal}${words}`, named);
      });
    }
    if (attribute !== 'actsFor') return [];
    const agent = who('agent:unnamed', PrincipalKind.AGENT, { member: literal });
    return probed(`agent for ${literal}`, agent);
  });
}

function namedAs(wanted: string, literals: Literals): readonly string[] {
  return literals.flatMap(([attribute, text]) => (attribute === wanted ? [text] : []));
}

type Literals = readonly (readonly [string, string])[];

/** What rules compare attributes of the principal with. */
function attributeLiterals(rules: readonly Rule[]): Literals {
  const parts = rules.flatMap(({ json }) =>
    conjunctsOf(json.conditions).flatMap(({ expression }) => [...walk(expression)]),
  );
  const found = parts.flatMap(({ args }) => {
    const paths = args.map(pathOf).find((path) => path?.[0] === 'principal' && path.length === 2);
    const literals = args.map(literalOf).filter((literal) => typeof literal === 'string');
    return literals.map((literal) => [paths?.[1] ?? '', literal] as const);
  });
  return found.filter(([attribute]) => attribute !== '').slice(0, MAX_NAMED);
}

/** Every entity that a rule names, in its scope or its conditions. */
export function entitiesIn({ json }: Rule) {
  const { principal, resource } = json;
  const scope = [principal, resource].flatMap((constraint) => [
    'entity' in constraint ? entityOf(constraint.entity) : undefined,
    'in' in constraint && constraint.in !== undefined && 'entity' in constraint.in
      ? entityOf(constraint.in.entity)
      : undefined,
  ]);
  const conditions = conjunctsOf(json.conditions).flatMap(({ expression }) =>
    [...walk(expression)].map(({ value }) => entityOf(value)),
  );
  return [...scope, ...conditions].filter((entity) => entity !== undefined);
}
