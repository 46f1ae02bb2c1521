import type { Expr, PolicyJson, SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { PalyraError } from '@palyra/kernel';
import { schemaPart } from '../compare/schema-part.ts';
import type { Cedar } from '../engine/cedar.ts';
import { type LoadedSet, loadedSet } from '../engine/loaded-set.ts';
import { threadTime } from '../engine/stopwatch.ts';
import type { PolicyRequest, RuleSet } from '../model.ts';

/** A place to try rules that are in no set in force. */
export interface Workbench {
  /** The rule that a text is; `undefined` for what is not exactly one that the schema admits. */
  read(text: string): PolicyJson | undefined;
  /** A condition as Cedar writes it. */
  write(condition: Expr): string;
  /** Contract: ends the use of what was loaded here before. */
  load(set: RuleSet): LoadedSet;
  try(probes: Probes, request: PolicyRequest): Tried;
}

/** Permits by their names. */
export type Probes = Readonly<Record<string, PolicyJson>>;

export interface Tried {
  readonly applying: ReadonlySet<string>;
  /** Those that could not be evaluated, e.g. because they look into what is not there. */
  readonly failing: ReadonlySet<string>;
}

export const ANYTHING = {
  principal: { op: 'All' },
  action: { op: 'All' },
  resource: { op: 'All' },
} as const;

/** Cedar never frees a name, so these are all, however many explanations are asked for. */
const SCHEMA = 'explain:schema';
const PROBES = 'explain:probes';
const CHANGE = 'explain:change';

/** Contract: valid until control is given back; another explanation uses the same names. */
export function openWorkbench(
  cedar: Cedar,
  { schema, action }: { readonly schema: Schema; readonly action: string },
): Workbench {
  const needed = schemaPart(schema, new Set([action, 'tool.unattended']));
  accept(cedar.preparseSchema(SCHEMA, needed));
  return {
    read: (text) => readRule(cedar, schema, text),
    write: (condition) => writeCondition(cedar, condition),
    load: (set) => {
      const staticPolicies = Object.fromEntries(set.rules.map(({ id, json }) => [id, json]));
      accept(cedar.preparsePolicySet(CHANGE, { staticPolicies }));
      const holder = Symbol(CHANGE);
      const place = { id: CHANGE, holder };
      const timed = { stopwatch: threadTime, tellSlow: () => undefined };
      return loadedSet(set, { cedar, place, schemaName: SCHEMA, holder, ...timed });
    },
    try: (probes, request) => tryProbes(cedar, probes, request),
  };
}

type Schema = SchemaJson<string>;

type Answer = ReturnType<Cedar['preparsePolicySet']>;

function accept(answer: Answer): void {
  if (answer.type === 'success') return;
  const reason = answer.errors[0]?.message ?? 'no reason given';
  throw new PalyraError('POLICY_INVALID', `the engine does not take the rules: ${reason}`);
}

function readRule(cedar: Cedar, schema: Schema, text: string): PolicyJson | undefined {
  const read = cedar.policyToJson(text);
  if (read.type === 'failure') return undefined;
  const action = onlyAction(read.json);
  const answer = cedar.validate({
    schema: action === undefined ? schema : schemaPart(schema, new Set([action])),
    policies: { staticPolicies: { offered: read.json } },
    validationSettings: { mode: 'strict' },
  });
  const isValid = answer.type === 'success' && answer.validationErrors.length === 0;
  return isValid ? read.json : undefined;
}

/** The one action that a rule can be about; `undefined` when there may be others. */
function onlyAction({ effect, action }: PolicyJson): string | undefined {
  // The conditions of a forbid are a person's, and may name any action.
  if (effect === 'forbid' || action.op !== '==' || !('entity' in action)) return undefined;
  return ('__entity' in action.entity ? action.entity.__entity : action.entity).id;
}

function writeCondition(cedar: Cedar, body: Expr): string {
  const conditions = [{ kind: 'when' as const, body }];
  const answer = cedar.policyToText({ ...ANYTHING, effect: 'permit', conditions });
  if (answer.type === 'failure') return 'a condition that cannot be written';
  return answer.text.replace(/^[^{]*\{\s*/, '').replace(/\s*\}\s*;\s*$/, '');
}

function tryProbes(cedar: Cedar, probes: Probes, request: PolicyRequest): Tried {
  // Names may be long, and each would cross into the engine and back.
  const names = Object.keys(probes);
  const staticPolicies = Object.fromEntries(Object.values(probes).entries());
  accept(cedar.preparsePolicySet(PROBES, { staticPolicies }));
  const answer = cedar.statefulIsAuthorized({
    principal: { ...request.principal },
    action: { type: 'Action', id: request.action },
    resource: { ...request.resource },
    context: request.context,
    entities: request.entities.map((entity) => ({ ...entity, parents: [...entity.parents] })),
    preparsedPolicySetId: PROBES,
    preparsedSchemaName: SCHEMA,
    validateRequest: true,
  });
  if (answer.type === 'failure') return { applying: new Set(), failing: new Set() };
  const { reason, errors } = answer.response.diagnostics;
  const named = (ids: readonly string[]) => new Set(ids.map((id) => names[Number(id)] ?? ''));
  return { applying: named(reason), failing: named(errors.map(({ policyId }) => policyId)) };
}
