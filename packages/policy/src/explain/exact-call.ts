import type { Json } from '@palyra/kernel';
import type { PolicyRequest } from '../model.ts';
import { entityText, stringText, valueText } from './cedar-text.ts';
import { attributeOf, fieldAt, fieldOf } from './facts.ts';

/** Something that is true of one call, as Cedar says it. */
export interface Condition {
  readonly text: string;
  /** Strings of the call that stand in it; whoever shows the text looks for secrets in these. */
  readonly strings: readonly string[];
}

/** Who, what and on what: the scope of a rule for one call. */
export function exactScope(request: PolicyRequest, action = request.action): readonly Condition[] {
  const { principal, resource } = request;
  return [
    { text: `principal == ${entityText(principal)}`, strings: [principal.id] },
    { text: `action == Action::${stringText(action)}`, strings: [action] },
    { text: `resource == ${entityText(resource)}`, strings: [resource.id] },
  ];
}

/**
 * Every fact that tells this call from its neighbours: another argument, path, host, secret, agent,
 * channel or workspace, more bytes, a run that has seen more untrusted things. What is no part of the call
 * (time, session, run, device, budget) is left open, or the rule would fit only once.
 * INVARIANT: the digest of the arguments is among them. What is sent, typed or written, what stands in
 * a query or a header, is in no other fact; those are there for whoever reads the rule.
 */
export function exactFacts(request: PolicyRequest): readonly Condition[] {
  return [
    ...['channel', 'agent', 'skill'].flatMap((name) => equals(request, [name])),
    ...inWorkspace(request),
    ...actingFor(request),
    ...ofHost(request),
    ...atMostTaintOf(request),
    ...optional(request, 'process', ['commandLine', 'directory']),
    ...optional(request, 'http', ['method', 'scheme', 'host', 'port', 'path']),
    ...SETS.flatMap((path) => sameSet(request, path)),
    ...sizes(request),
    ...equals(request, ['argumentsSha256']),
  ];
}

/** The cage, too: what needs no question in a proven one needs it without. */
export function exactFactsUnattended(request: PolicyRequest): readonly Condition[] {
  return [...exactFacts(request), ...equals(request, ['tier'])];
}

type Path = readonly [string, ...string[]];

const SETS: readonly Path[] = [
  ['reads', 'all'],
  ['writes', 'all'],
  ['hosts', 'all'],
  ['hosts', 'ports'],
  ['secrets'],
];

function equals({ context }: PolicyRequest, path: Path): readonly Condition[] {
  const value = fieldAt(context, path);
  const text = value === undefined ? undefined : valueText(value);
  if (value === undefined || text === undefined) return [];
  return [{ text: `context.${path.join('.')} == ${text}`, strings: stringsIn(value) }];
}

/** Without it the same relative path is a file of another folder. Nothing for calls older than the fact. */
function inWorkspace(request: PolicyRequest): readonly Condition[] {
  const same = equals(request, ['workspace']);
  return same.length === 0 ? [] : [{ text: 'context has workspace', strings: [] }, ...same];
}

function actingFor(request: PolicyRequest): readonly Condition[] {
  const { principal } = request;
  const actsFor = attributeOf(request, principal, ['actsFor']);
  if (principal.type !== 'Agent' || typeof actsFor !== 'string') return [];
  return [
    { text: 'principal is Agent', strings: [] },
    { text: `principal.actsFor == ${stringText(actsFor)}`, strings: [actsFor] },
  ];
}

/** A host is named without its port, and may lead elsewhere tomorrow. */
function ofHost(request: PolicyRequest): readonly Condition[] {
  const { resource } = request;
  if (resource.type !== 'Host') return [];
  const facts = ['port', 'range', 'listed'].map((name) => {
    const value = attributeOf(request, resource, [name]);
    // A value that cannot be said leaves a hole, as in a set.
    const text = value === undefined ? '' : (valueText(value) ?? '');
    return { text: `resource.${name} == ${text}`, strings: [] };
  });
  return [{ text: 'resource is Host', strings: [] }, ...facts];
}

function atMostTaintOf({ context }: PolicyRequest): readonly Condition[] {
  const taint = fieldOf(context, 'taint');
  if (!Array.isArray(taint)) return [];
  const text =
    taint.length === 0 ? 'context.taint.isEmpty()' : `${setText(taint)}.containsAll(context.taint)`;
  return [{ text, strings: [] }];
}

/** Only what an agent does has such facts at all; `reads` is in every one of those. */
function optional(
  request: PolicyRequest,
  name: string,
  fields: readonly string[],
): readonly Condition[] {
  const { context } = request;
  if (fieldOf(context, 'reads') === undefined) return [];
  if (fieldOf(context, name) === undefined)
    return [{ text: `!(context has ${name})`, strings: [] }];
  return [
    { text: `context has ${name}`, strings: [] },
    ...fields.flatMap((field) => equals(request, [name, field])),
  ];
}

function sameSet({ context }: PolicyRequest, path: Path): readonly Condition[] {
  const values = fieldAt(context, path);
  if (!Array.isArray(values)) return [];
  const set = `context.${path.join('.')}`;
  // An empty literal has no type, so strict validation refuses to compare with it.
  const text = values.length === 0 ? `${set}.isEmpty()` : `${set} == ${setText(values)}`;
  return [{ text, strings: stringsIn(values) }];
}

/** A command line tells its arguments; of any other call the rules only see how long they are. */
function sizes(request: PolicyRequest): readonly Condition[] {
  const { context } = request;
  const names =
    fieldOf(context, 'process') === undefined ? ['argumentBytes', 'bodyBytes'] : ['bodyBytes'];
  return names.flatMap((name) => {
    const size = fieldOf(context, name);
    return typeof size === 'number' ? [{ text: `context.${name} <= ${size}`, strings: [] }] : [];
  });
}

/** A value that cannot be said leaves a hole, and the rule is then refused when it is read back. */
function setText(values: readonly Json[]): string {
  return `[${values.map((value) => valueText(value) ?? '').join(', ')}]`;
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.flatMap(stringsIn) : [];
}
