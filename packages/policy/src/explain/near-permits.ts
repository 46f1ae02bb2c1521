import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityUidJson, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { EntityRef, PolicyRequest, Rule } from '../model.ts';
import { type Conjunct, conjunctsOf, looksAt, probeOf } from './conjuncts.ts';
import { isSame } from './facts.ts';
import { ANYTHING, type Probes, type Tried, type Workbench } from './workbench.ts';

/** Permits that are told of; more could only add noise. */
export const MAX_NEAR_PERMITS = 20;
/** Different conditions that are tried for all permits together. */
export const MAX_PROBES = 200;

/** A permit for this kind of call, and what keeps it from applying. */
export interface NearPermit {
  readonly rule: Rule;
  /** Whether it is for somebody with another role. */
  readonly isForOthers: boolean;
  /** Empty, for a permit for this principal, means that it applies. */
  readonly unmet: readonly Conjunct[];
}

/** The permits that come closest to allowing a request; those that lack least come first. */
export async function nearPermits(
  workbench: Workbench,
  rules: readonly Rule[],
  request: PolicyRequest,
): Promise<readonly NearPermit[]> {
  const inScope = permitsInScope(workbench, rules, request);
  const probed = withinProbes(inScope);
  await nextTurn();
  const tried = workbench.try(conditionProbes(probed), request);
  return probed
    .map((permit) => ({ ...permit, unmet: unmetOf(permit, tried) }))
    .filter(({ unmet }) => !unmet.some(isAboutOtherThings))
    .toSorted((one, other) => lacks(one) - lacks(other))
    .slice(0, MAX_NEAR_PERMITS);
}

export function isApplying({ isForOthers, unmet }: NearPermit): boolean {
  return !isForOthers && unmet.length === 0;
}

/** Whether a rule can never be about this request, from its scope alone and without evaluating it. */
export function isElsewhere({ json }: Rule, request: PolicyRequest): boolean {
  const action = { type: 'Action', id: request.action };
  return (
    isOther(json.action, action) ||
    isOther(json.principal, request.principal) ||
    isOther(json.resource, request.resource)
  );
}

interface InScope {
  readonly rule: Rule;
  readonly isForOthers: boolean;
}

/** Each condition by the name of its probe. */
type Probed = InScope & { readonly conjuncts: ReadonlyMap<string, Conjunct> };

function permitsInScope(
  workbench: Workbench,
  rules: readonly Rule[],
  request: PolicyRequest,
): readonly InScope[] {
  const permits = rules.filter(
    (rule) =>
      rule.effect === 'permit' && !isElsewhere(rule, request) && !isForOtherKind(rule, request),
  );
  const scopes = new Map(permits.flatMap((rule) => [thingScope(rule.json), whoScope(rule.json)]));
  const { applying } = workbench.try(Object.fromEntries(scopes), request);
  const found = permits
    .filter(({ json }) => applying.has(thingScope(json)[0]))
    .map((rule) => ({ rule, isForOthers: !applying.has(whoScope(rule.json)[0]) }));
  const forThem = found.filter(({ isForOthers }) => !isForOthers);
  const forOthers = found.filter(({ isForOthers }) => isForOthers);
  return [...forThem, ...forOthers];
}

function thingScope({ action, resource }: PolicyJson): [string, PolicyJson] {
  return named({ ...ANYTHING, action, resource, effect: 'permit', conditions: [] });
}

function whoScope({ principal }: PolicyJson): [string, PolicyJson] {
  return named({ ...ANYTHING, principal, effect: 'permit', conditions: [] });
}

/** Many rules have scopes and conditions in common: under its own text each is tried once. */
function named(probe: PolicyJson): [string, PolicyJson] {
  return [JSON.stringify(probe), probe];
}

/** A rule for tokens tells a user nothing. */
function isForOtherKind({ json }: Rule, { principal }: PolicyRequest): boolean {
  return json.principal.op === 'is' && json.principal.entity_type !== principal.type;
}

function isOther(constraint: Constraint, ref: EntityRef): boolean {
  if (constraint.op !== '==' || !('entity' in constraint)) return false;
  return !isSame(uidOf(constraint.entity), ref);
}

type Constraint = PolicyJson['principal'] | PolicyJson['action'] | PolicyJson['resource'];

function uidOf(uid: EntityUidJson): EntityRef {
  return '__entity' in uid ? uid.__entity : uid;
}

function withinProbes(permits: readonly InScope[]): readonly Probed[] {
  const seen = new Set<string>();
  return permits.flatMap((permit) => {
    const conjuncts = new Map(
      conjunctsOf(permit.rule.json.conditions).map((one) => [named(probeOf(one))[0], one]),
    );
    const fresh = [...conjuncts.keys()].filter((probe) => !seen.has(probe));
    if (seen.size + fresh.length > MAX_PROBES) return [];
    for (const probe of fresh) seen.add(probe);
    return [{ ...permit, conjuncts }];
  });
}

function conditionProbes(permits: readonly Probed[]): Probes {
  return Object.fromEntries(
    permits.flatMap(({ conjuncts }) => [...conjuncts].map(([name, one]) => [name, probeOf(one)])),
  );
}

/** What looks into something absent fails because of the condition that asks whether it is there. */
function unmetOf({ conjuncts }: Probed, { applying, failing }: Tried): readonly Conjunct[] {
  const unmet = [...conjuncts].filter(([probe]) => !applying.has(probe));
  const plain = unmet.filter(([probe]) => !failing.has(probe));
  return (plain.length > 0 ? plain : unmet).map(([, conjunct]) => conjunct);
}

/** `[Tool::"a", …].contains(resource)` is a scope that does not fit into one. */
function isAboutOtherThings({ body }: Conjunct): boolean {
  const paths = looksAt(body).map((path) => path.join('.'));
  return paths.length > 0 && paths.every((path) => path === 'resource' || path === 'action');
}

function lacks({ unmet, isForOthers }: NearPermit): number {
  return unmet.length + (isForOthers ? 1 : 0);
}
