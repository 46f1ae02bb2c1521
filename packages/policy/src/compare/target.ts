import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { type JsonObject, permissionWord } from '@palyra/kernel';
import type { EntityRef, PolicyContext, PolicyEntity, PolicyRequest, Rule } from '../model.ts';
import { matterPermission } from '../request/matter.ts';
import { reference, references } from '../request/words.ts';
import { comparedWith } from './compared-with.ts';
import type { KnownTool } from './difference.ts';
import { hostTargets } from './host-target.ts';
import { memberTargets } from './member-target.ts';
import { entitiesIn, type ProbedPrincipal } from './principals.ts';
import type { Asked } from './scope.ts';
import { actContext, askContext, type Situation } from './situation.ts';
import { workTargets } from './work-target.ts';
import { workspaceTargets } from './workspace-target.ts';

/** Something to be done, and with what. */
export interface Target {
  readonly action: string;
  readonly resource: EntityRef;
  /** As a person would say it: `process.run`, `any other tool`, `policy.manage`. */
  readonly label: string;
  /** What all targets are called together that differ from this one only in attributes. */
  readonly family: string;
  /** What the resource can do; a question about files is not put to what cannot touch any. */
  readonly capabilities: readonly string[];
  /** None unless stated. */
  readonly parents?: readonly EntityRef[];
  readonly attributes: (principal: ProbedPrincipal) => JsonObject;
  /** What the context of everybody holds who gets as far as this; nothing unless stated. */
  readonly known?: PolicyContext;
}

/** Of each type, the one that no rule names: it stands for all of them. */
const UNNAMED = 'unnamed';

const CAPABILITIES =
  'process_exec network secrets_read filesystem_write filesystem_read browser memory'.split(' ');

/** Bounds what a set with thousands of names can ask for; the rest is left to doubt. */
const MAX_TARGETS = 1_024;

export function targetsFor(
  rules: readonly Rule[],
  { tools, schema }: { readonly tools: readonly KnownTool[]; readonly schema: SchemaJson<string> },
): readonly Target[] {
  const named = Map.groupBy(rules.flatMap(entitiesIn), ({ type }) => type);
  const ids = (type: string) => new Set((named.get(type) ?? []).map(({ id }) => id));
  const publishers = publishersIn(rules);
  const resources = [
    ...toolTargets(ids('Tool'), tools),
    ...[...ids('Skill'), UNNAMED].flatMap((name) => skillTargets(name, publishers)),
    ...[...ids('Secret'), UNNAMED].flatMap(secretTargets),
    ...hostTargets(ids('Host'), rules),
    ...workspaceTargets(ids('Workspace'), rules),
    ...['Memory', 'Routine'].flatMap((type) => ownedTargets(type, ids(type))),
    ...workTargets({ works: ids('Work'), users: ids('User'), tokens: ids('Token') }),
    ...memberTargets(new Set([...ids('Member'), ...ids('User')])),
  ];
  const acts = actionsOf(schema).flatMap(({ action, types }) =>
    resources
      .filter(({ resource }) => types.includes(resource.type))
      .map((one) => ({ ...one, action, ...wordsFor(action, one) })),
  );
  return [...acts, ...gatewayTargets(schema)].slice(0, MAX_TARGETS);
}

export type Resource = Omit<Target, 'action'>;

/** A question about `tool.unattended` alone is nobody's: it follows one about `tool.execute`. */
function actionsOf(schema: SchemaJson<string>) {
  return Object.values(schema)
    .flatMap(({ actions }) => Object.entries(actions))
    .filter(([action]) => action !== 'tool.unattended')
    .map(([action, { appliesTo }]) => ({ action, types: appliesTo?.resourceTypes ?? [] }));
}

function wordsFor(action: string, { resource, label, family }: Resource) {
  if (['Tool', 'Host', 'Secret'].includes(resource.type)) return { label, family };
  return { label: `${action} ${label}`, family: `${action} ${family}`.trim() };
}

function toolTargets(named: ReadonlySet<string>, tools: readonly KnownTool[]): readonly Resource[] {
  const known = new Set(tools.map(({ name }) => name));
  const strangers = [...named].filter((name) => !known.has(name));
  return [
    ...tools.map((tool) => toolTarget(tool, { label: tool.name, family: tool.name })),
    // What it can do is told by nobody here, so it is asked for as the most and as the least.
    ...strangers.flatMap((name) =>
      EXTREMES.map((extreme) =>
        toolTarget(
          { ...extreme, name },
          { label: `${name}${suffixOf({ ...extreme, name })}`, family: name },
        ),
      ),
    ),
    ...UNNAMED_TOOLS.map((tool) =>
      toolTarget(tool, { label: `any other tool${suffixOf(tool)}`, family: 'any other tool' }),
    ),
  ];
}

const EXTREMES = [
  { capabilities: CAPABILITIES, risk: 'critical', source: 'built-in' },
  { capabilities: [], risk: 'low', source: 'built-in' },
] as const;

const UNNAMED_TOOLS: readonly KnownTool[] = [
  { name: UNNAMED, capabilities: [], risk: 'critical', source: 'unknown' },
  ...['built-in', 'skill', 'mcp'].map((source) => ({
    name: UNNAMED,
    capabilities: [],
    risk: 'low',
    source,
  })),
  ...['medium', 'high', 'critical'].map((risk) => ({
    name: UNNAMED,
    capabilities: [],
    risk,
    source: 'built-in',
  })),
  ...CAPABILITIES.map((one) => ({
    name: UNNAMED,
    capabilities: [one],
    risk: 'low',
    source: 'built-in',
  })),
  { name: UNNAMED, capabilities: CAPABILITIES, risk: 'critical', source: 'built-in' },
];

type Words = Pick<Target, 'label' | 'family'>;

function suffixOf({ capabilities, risk, source }: KnownTool): string {
  if (source === 'unknown') return ' (that nobody declared)';
  const can =
    capabilities.length === CAPABILITIES.length ? 'every capability' : capabilities.join(', ');
  return ` (${[source, `${risk} risk`, can].filter((part) => part !== '').join(', ')})`;
}

function toolTarget({ name, capabilities, risk, source }: KnownTool, words: Words): Resource {
  const attributes = {
    capabilities: references('Capability', capabilities),
    risk: reference('Risk', risk),
    source,
  };
  return {
    resource: reference('Tool', name),
    ...words,
    capabilities,
    attributes: () => attributes,
  };
}

/** Of each publisher that rules name, and of one for all others. */
function skillTargets(name: string, publishers: readonly string[]): readonly Resource[] {
  const skill = name === UNNAMED ? 'any other skill' : name;
  return publishers.flatMap((publisher) => {
    const family = publisher === UNNAMED ? skill : `${skill} of ${publisher}`;
    return [true, false].map((active) => ({
      resource: reference('Skill', name),
      label: `${family}${active ? '' : ', not active'}`,
      family,
      capabilities: [],
      attributes: () => ({ capabilities: [], active, publisher }),
    }));
  });
}

/** So many that rules name are asked about; the rest is left to doubt. */
const MAX_PUBLISHERS = 16;

function publishersIn(rules: readonly Rule[]): readonly string[] {
  const named = rules
    .flatMap((rule) => comparedWith('resource.publisher', rule))
    .filter((literal) => typeof literal === 'string');
  return [...new Set([UNNAMED, ...named])].slice(0, MAX_PUBLISHERS + 1);
}

function secretTargets(name: string): readonly Resource[] {
  return ownedOrNot('Secret', name, name === UNNAMED ? 'any other secret' : name);
}

function ownedTargets(type: string, named: ReadonlySet<string>): readonly Resource[] {
  return [...named, UNNAMED].flatMap((name) =>
    ownedOrNot(type, name, name === UNNAMED ? '' : name),
  );
}

function ownedOrNot(type: string, name: string, label: string): readonly Resource[] {
  return ['their own', 'of somebody else'].map((whose, place) => ({
    resource: reference(type, name),
    label: `${label} ${whose}`.trim(),
    family: label,
    capabilities: [],
    attributes: ({ facts }) => ({
      owner: reference(
        'User',
        place === 0 ? ownerOf(facts.principal, facts.entities) : 'somebody-else',
      ),
    }),
  }));
}

function ownerOf({ type, id }: EntityRef, entities: readonly PolicyEntity[]): string {
  if (type === 'User') return id;
  return entities.find(({ uid }) => uid.type === 'User')?.uid.id ?? UNNAMED;
}

function gatewayTargets(schema: SchemaJson<string>): readonly Target[] {
  return actionsOf(schema)
    .filter(({ types }) => types.includes('Gateway'))
    .map(({ action }) => ({
      action,
      resource: reference('Gateway', 'gateway'),
      label: action,
      family: action,
      capabilities: [],
      attributes: () => ({}),
    }));
}

export function requestFor(
  principal: ProbedPrincipal,
  target: Target,
  situation: Situation,
): PolicyRequest {
  return { ...askedFor(principal, target), context: contextFor(target, situation) };
}

/** Whatever the situation. */
export function askedFor(principal: ProbedPrincipal, target: Target): Asked {
  const { action, resource } = target;
  return {
    principal: principal.facts.principal,
    action,
    resource,
    entities: [
      ...principal.facts.entities,
      { uid: resource, attrs: target.attributes(principal), parents: target.parents ?? [] },
    ],
  };
}

function contextFor(target: Target, situation: Situation): PolicyContext {
  return { ...situationContext(target, situation), ...knownOf(target) };
}

/** The context without what comes with the target. */
export function situationContext({ resource }: Target, situation: Situation): PolicyContext {
  return isAsked(resource) ? askContext(situation) : actContext(situation);
}

/** Of the gateway, by whoever calls it; all else is done by an agent. */
export function isAsked({ type }: EntityRef): boolean {
  return ['Gateway', 'Work', 'Member', 'Workspace'].includes(type);
}

/** What the context holds in every situation. */
export function knownOf({ action, resource, capabilities, known }: Target): PolicyContext {
  if (resource.type === 'Gateway') return { permission: action };
  const permission = matterPermission(action);
  if (permission !== undefined) return { permission: permissionWord(permission) };
  return { capabilities: references('Capability', capabilities), ...known };
}
