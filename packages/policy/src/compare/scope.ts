import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { EntityRef, PolicyRequest, Rule } from '../model.ts';
import { entityOf } from './literal.ts';

/** Tells for rules of one schema whether a request is within their scope, whatever their conditions say. */
export type IsAbout = (rule: Rule, request: PolicyRequest) => boolean;

/** A tool call may be followed by a second question, so rules about that one are about the call too. */
const FOLLOWED_BY: ReadonlyMap<string, string> = new Map([['tool.execute', 'tool.unattended']]);

export function scopesOf(schema: SchemaJson<string>): IsAbout {
  const groups = actionGroups(schema);
  return ({ json }, request) => {
    const follower = FOLLOWED_BY.get(request.action);
    const actions = follower === undefined ? [request.action] : [request.action, follower];
    const places = new Set(actions.flatMap((action) => [action, ...(groups.get(action) ?? [])]));
    return (
      isActionIn(json.action, places) &&
      isIn(json.principal, request.principal, request) &&
      isIn(json.resource, request.resource, request)
    );
  };
}

/** Groups of groups are not in the schema. */
function actionGroups(schema: SchemaJson<string>): ReadonlyMap<string, readonly string[]> {
  const actions = Object.values(schema).flatMap((namespace) => Object.entries(namespace.actions));
  return new Map(
    actions.map(([name, { memberOf }]) => [name, (memberOf ?? []).map(({ id }) => id)]),
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

function isIn(constraint: Constraint, entity: EntityRef, request: PolicyRequest): boolean {
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
function isUnder(entity: EntityRef, above: EntityRef | undefined, request: PolicyRequest): boolean {
  if (isEqual(above, entity)) return true;
  const stated = request.entities.find(({ uid }) => isEqual(uid, entity));
  return stated?.parents.some((parent) => isEqual(above, parent)) ?? false;
}

function isEqual(left: EntityRef | undefined, right: EntityRef): boolean {
  return left?.type === right.type && left.id === right.id;
}
