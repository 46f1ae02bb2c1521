import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { EntityRef, PolicyRequest, Rule } from '../model.ts';
import { entityOf } from './literal.ts';

/** Tells for rules of one schema whether a request is within their scope, whatever their conditions say. */
export type IsAbout = (rule: Rule, request: Asked) => boolean;

/** Who asks for what: all of a request that scopes look at. */
export type Asked = Omit<PolicyRequest, 'context'>;

/** A tool call may be followed by a second question, so rules about that one are about the call too. */
const FOLLOWED_BY: ReadonlyMap<string, string> = new Map([['tool.execute', 'tool.unattended']]);

/** What follows a request counts as part of it, or not. */
interface Following {
  readonly following: 'included' | 'apart';
}

export function scopesOf(schema: SchemaJson<string>, { following }: Following): IsAbout {
  const places = actionPlaces(schema, { following });
  return ({ json }, request) =>
    isActionIn(json.action, places.get(request.action) ?? new Set()) &&
    isIn(json.principal, request.principal, request) &&
    isIn(json.resource, request.resource, request);
}

export function withFollowers(actions: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...actions].flatMap((action) => [action, FOLLOWED_BY.get(action) ?? action]));
}

/** The actions of a schema that rules can be about; groups of them are none. */
export function actionsOf(rules: readonly Rule[], schema: SchemaJson<string>): ReadonlySet<string> {
  const places = actionPlaces(schema, { following: 'included' });
  const actions = Object.values(schema).flatMap((space) => Object.entries(space.actions));
  const found = actions.filter(
    ([action, { appliesTo }]) =>
      (appliesTo?.principalTypes.length ?? 0) > 0 &&
      rules.some(({ json }) => isActionIn(json.action, places.get(action) ?? new Set())),
  );
  return new Set(found.map(([action]) => action));
}

/** Each action with what it is part of. */
function actionPlaces(
  schema: SchemaJson<string>,
  { following }: Following,
): ReadonlyMap<string, ReadonlySet<string>> {
  const actions = Object.values(schema).flatMap((namespace) => Object.entries(namespace.actions));
  // Groups of groups are not in the schema.
  const groups = new Map(
    actions.map(([name, { memberOf }]) => [name, (memberOf ?? []).map(({ id }) => id)]),
  );
  const places = (action: string) => [action, ...(groups.get(action) ?? [])];
  return new Map(
    [...groups.keys()].map((action) => {
      const follower = following === 'included' ? FOLLOWED_BY.get(action) : undefined;
      return [action, new Set([...places(action), ...(follower ? places(follower) : [])])];
    }),
  );
}

function isActionIn(constraint: Rule['json']['action'], places: ReadonlySet<string>): boolean {
  if (constraint.op === 'All') return true;
  if ('entities' in constraint) {
    return constraint.entities.some((entity) => places.has(entityOf(entity)?.id ?? ''));
  }
  return 'entity' in constraint && places.has(entityOf(constraint.entity)?.id ?? '');
}

type Constraint = Rule['json']['principal'] | Rule['json']['resource'];

function isIn(constraint: Constraint, entity: EntityRef, request: Asked): boolean {
  switch (constraint.op) {
    case 'All':
      return true;
    case '==':
      return 'entity' in constraint && isEqual(entityOf(constraint.entity), entity);
    case 'in':
      return 'entity' in constraint && isUnder(entity, entityOf(constraint.entity), request);
    case 'is': {
      if (constraint.entity_type !== entity.type) return false;
      const above = constraint.in;
      if (above === undefined) return true;
      return 'entity' in above && isUnder(entity, entityOf(above.entity), request);
    }
  }
}

/** Parents of parents are not in the schema either. */
function isUnder(entity: EntityRef, above: EntityRef | undefined, request: Asked): boolean {
  if (isEqual(above, entity)) return true;
  const stated = request.entities.find(({ uid }) => isEqual(uid, entity));
  return stated?.parents.some((parent) => isEqual(above, parent)) ?? false;
}

function isEqual(left: EntityRef | undefined, right: EntityRef): boolean {
  return left?.type === right.type && left.id === right.id;
}

/** Equal for what a scope says alike. Plain data of known shape, three levels at most. */
export function scopeKey(constraint: object): string {
  return JSON.stringify(
    Object.entries(constraint).toSorted(([left], [right]) => (left < right ? -1 : 1)),
    sorted,
  );
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Whether their scopes alone keep two rules from being about the same. `false` is no promise. */
export function isDisjoint(left: Rule['json'], right: Rule['json']): boolean {
  return (
    isApart(left.principal, right.principal) ||
    isApart(left.resource, right.resource) ||
    isOtherAction(left.action, right.action)
  );
}

function isApart(left: Constraint, right: Constraint): boolean {
  const [one, other] = [left, right].map(typeIn);
  if (one !== undefined && other !== undefined && one !== other) return true;
  if (left.op !== '==' || right.op !== '==') return false;
  if (!('entity' in left) || !('entity' in right)) return false;
  return entityOf(left.entity)?.id !== entityOf(right.entity)?.id;
}

/** Of which type it must be; what is in something may be of any. */
function typeIn(constraint: Constraint): string | undefined {
  if (constraint.op === 'is') return constraint.entity_type;
  if (constraint.op !== '==' || !('entity' in constraint)) return undefined;
  return entityOf(constraint.entity)?.type;
}

function isOtherAction(left: Rule['json']['action'], right: Rule['json']['action']): boolean {
  if (left.op !== '==' || right.op !== '==') return false;
  if (!('entity' in left) || !('entity' in right)) return false;
  return entityOf(left.entity)?.id !== entityOf(right.entity)?.id;
}
