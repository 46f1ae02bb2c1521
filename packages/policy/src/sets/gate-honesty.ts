import {
  type CedarValueJson,
  isAuthorized,
  type PolicyJson,
} from '@cedar-policy/cedar-wasm/nodejs';
import { type Json, PalyraError, isJsonObject } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { actContext, PLAIN, PLAIN_COMMAND, PLAIN_EXCHANGE } from '../compare/situation.ts';
import { ANYTHING } from '../explain/workbench.ts';
import type { GateTerms, PolicyContext, Problem } from '../model.ts';
import { approvalFacts } from '../request/approval.ts';
import { reference } from '../request/words.ts';
import { annotationsOf } from './annotations.ts';
import { type GateTrials, TrialMaker } from './gate-trials.ts';
import { lesserThan } from './lesser-approvals.ts';
import type { ParsedRule } from './parse-file.ts';
import { type Complaint, problemAt } from './problems.ts';
import { termsOf } from './rule-terms.ts';
import { contentsOf } from './rule-walk.ts';
import { annotationAt } from './source-pieces.ts';

/** Of all gates together: with more of them, fewer ways in which each can come out are tried. */
const MAX_TRIALS = 20_000;
const MAX_TRIALS_OF_ONE = 64;
const MIN_TRIALS_OF_ONE = 4;
/** That Cedar reads at once. */
const BATCH = 512;

/**
 * People are asked for what the annotations of a gate say, and its conditions decide what suffices: less
 * than that must not, and without any approval it must be possible that it asks. Cedar is asked itself,
 * with everything that is not about approvals coming out either way.
 * Contract: rules that Cedar has found valid. Throws when Cedar breaks.
 */
export function honestyProblems(rules: readonly ParsedRule[]): readonly Problem[] {
  const judged = rules.flatMap(gateIn);
  const each = Math.floor(MAX_TRIALS / Math.max(1, judged.length));
  const most = Math.min(MAX_TRIALS_OF_ONE, Math.max(MIN_TRIALS_OF_ONE, each));
  const maker = new TrialMaker(most, holdsIn);
  const gates = judged.map((gate) => ({ ...gate, trials: maker.trialsOf(gate.rule.json) }));
  const alike = Map.groupBy(gates, ({ terms, names }) => JSON.stringify([likeness(terms), names]));
  return [...alike.values()].flatMap((group) => batchesOf(group).flatMap(problemsIn));
}

interface JudgedGate {
  readonly rule: ParsedRule;
  readonly terms: GateTerms;
  /** Of approvers that the rule may speak of. */
  readonly names: readonly string[];
}

interface Gate extends JudgedGate {
  readonly trials: GateTrials;
}

function gateIn(rule: ParsedRule): readonly JudgedGate[] {
  const { json, file } = rule;
  const { gate, complaints } = termsOf(annotationsOf(json), {
    effect: json.effect,
    layer: file.layer,
  });
  if (gate === undefined || complaints.length > 0) return [];
  const names = contentsOf(json).strings.filter((text) => text.startsWith('user:'));
  return [{ rule, terms: gate, names: [...new Set(names)].toSorted() }];
}

function likeness({ approvers, quorum, strength }: GateTerms): readonly unknown[] {
  return [approvers, quorum, strength];
}

function batchesOf(gates: readonly Gate[]): readonly (readonly Gate[])[] {
  const batches: Gate[][] = [];
  let room = 0;
  for (const gate of gates) {
    if (gate.trials.policies.length > room) {
      batches.push([]);
      room = BATCH;
    }
    batches.at(-1)?.push(gate);
    room -= gate.trials.policies.length;
  }
  return batches;
}

/** Contract: all ask for the same, by the same names. */
function problemsIn(gates: readonly Gate[]): readonly Problem[] {
  const [first] = gates;
  if (first === undefined) return [];
  const policies = Object.fromEntries(
    gates.flatMap(({ trials }, number) =>
      trials.policies.map((policy, trial) => [`${number}:${trial}`, policy] as const),
    ),
  );
  const asking = applying(policies, CONTEXT);
  const lifted = new Set<string>();
  for (const approvers of lesserThan(first.terms, first.names)) {
    const shut = applying(policies, { ...CONTEXT, approval: approvalFacts({ approvers }) });
    for (const id of asking) if (!shut.has(id)) lifted.add(id);
  }
  return gates.flatMap(({ rule, terms, trials }, number) => {
    const ids = trials.policies.map((_, trial) => `${number}:${trial}`);
    const never = trials.areAll && ids.every((id) => !asking.has(id));
    const weak = ids.some((id) => lifted.has(id));
    const complaints = [...(never ? [NEVER] : []), ...(weak ? [tooWeak(terms)] : [])];
    const place = rule.offset + annotationAt(rule.text, 'gate');
    return complaints.map((complaint) => problemAt(rule.file, place, complaint));
  });
}

/** The names of those that apply, or cannot be evaluated: the engine denies then. */
function applying(
  staticPolicies: Readonly<Record<string, PolicyJson>>,
  context: PolicyContext,
): ReadonlySet<string> {
  const answer = isAuthorized({
    principal: SOMEBODY,
    action: { type: 'Action', id: 'tool.execute' },
    resource: SOMETHING,
    context: Object.fromEntries(
      Object.entries(context).map(([name, value]) => [name, spelt(value)]),
    ),
    policies: { staticPolicies: { ...staticPolicies } },
    entities: ENTITIES,
  });
  if (answer.type === 'failure') {
    throw new PalyraError('UNEXPECTED', answer.errors[0]?.message ?? 'Cedar gave no reason');
  }
  const { reason, errors } = answer.response.diagnostics;
  return new Set([...reason, ...errors.map(({ policyId }) => policyId)]);
}

/** Without a schema an entity is to be told from a record. */
function spelt(value: Json): CedarValueJson {
  if (Array.isArray(value)) return value.map(spelt);
  if (!isJsonObject(value)) return value;
  const { type, id } = value;
  if (typeof type === 'string' && typeof id === 'string') return { __entity: { type, id } };
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spelt(field)]));
}

/** Whether a condition holds, by itself. */
function holdsIn(body: PolicyJson['conditions'][number]['body'], facts: PolicyContext): boolean {
  const policy: PolicyJson = {
    ...ANYTHING,
    effect: 'forbid',
    conditions: [{ kind: 'when', body }],
  };
  return applying({ it: policy }, { ...CONTEXT, ...facts }).has('it');
}

const SOMEBODY = reference('User', 'unnamed');
const SOMETHING = reference('Tool', 'unnamed');
const ENTITIES = [
  { uid: SOMEBODY, attrs: { name: 'unnamed' }, parents: [reference('Role', 'operator')] },
  {
    uid: SOMETHING,
    attrs: {
      capabilities: [],
      risk: { __entity: reference('Risk', 'low') },
      source: 'built-in',
    },
    parents: [],
  },
];
/** With everything that a condition can look into beside an approval. */
const CONTEXT = {
  ...actContext({ ...PLAIN, process: PLAIN_COMMAND, http: PLAIN_EXCHANGE }),
  capabilities: [],
};

const NEVER: Complaint = {
  reason: 'this gate never asks: whatever is called, its conditions let it through',
  help: 'take out of `unless` what is always so; `context.unattended` by itself spares the question where a rule on `tool.unattended` says so',
};

function tooWeak(terms: GateTerms): Complaint {
  return {
    reason: 'less approval lifts this gate than its annotations ask for',
    help: `demand it in \`unless\` too: \`${demandText(terms)}\``,
  };
}

const COUNTED: ReadonlyMap<Role, string> = new Map([
  [Role.ADMIN, 'admins'],
  [Role.OWNER, 'owners'],
]);

function demandText({ approvers, quorum, strength }: GateTerms): string {
  const passkey =
    strength === 'passkey' ? ' && context.approval.strengths.contains(Strength::"passkey")' : '';
  return `context has approval && context.approval.${COUNTED.get(approvers) ?? 'count'} >= ${quorum}${passkey}`;
}
