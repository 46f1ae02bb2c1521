import { type SchemaJson, type ValidationError, validate } from '@cedar-policy/cedar-wasm/nodejs';
import { quote } from '@palyra/kernel';
import type { Problem } from '../model.ts';
import { byteOffsetOf, complaintOf, unitOffset } from './cedar-words.ts';
import { MAX_PROBLEMS } from './limits.ts';
import type { ParsedRule } from './parse-file.ts';
import { type Complaint, problemAt, problemOf } from './problems.ts';
import { nearest } from './suggestion.ts';

/**
 * Strictly against the schema. What Cedar only warns of is refused as well: a rule that can never
 * apply is a mistake, and one that its writer relies on. The exception are strings of several
 * scripts, which `look-alikes.ts` judges word by word; a path may well have folders in two.
 * Contract: the rules are of one layer; throws when Cedar itself breaks.
 */
export function validateRules(
  rules: readonly ParsedRule[],
  schema: SchemaJson<string>,
): readonly Problem[] {
  const [first] = rules;
  if (first === undefined) return [];
  const staticPolicies = Object.fromEntries(rules.map(({ text }, index) => [`${index}`, text]));
  const answer = validate({ schema, policies: { staticPolicies } });
  if (answer.type === 'failure') {
    // Each was parsed before, so this names no rule: it is about all of them, of one layer.
    const { layer } = first.file;
    return answer.errors.map((error) => problemOf({ layer, name: '.' }, complaintOf(error)));
  }
  const { validationErrors, validationWarnings } = answer;
  const wrong = new Set(validationErrors.map(({ policyId }) => policyId));
  const warnings = firstOfEach(
    validationWarnings.filter(
      (warning) => !wrong.has(warning.policyId) && !isJudgedElsewhere(warning),
    ),
  );
  const found = oncePerPlace([...validationErrors, ...warnings]).slice(0, MAX_PROBLEMS);
  const actions = actionsIn(schema);
  return found.flatMap((each) => located(each, rules, actions));
}

function actionsIn(schema: SchemaJson<string>): readonly string[] {
  return Object.values(schema).flatMap(({ actions }) => Object.keys(actions));
}

/** Cedar tells a mistake again for each action and each kind of principal that the rule is about. */
function oncePerPlace(found: readonly ValidationError[]): readonly ValidationError[] {
  const places = Map.groupBy(found, ({ policyId, error }) => `${policyId} ${byteOffsetOf(error)}`);
  return [...places.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

/** A rule whose scope fits nothing is impossible too; once is enough. */
function firstOfEach(warnings: readonly ValidationError[]): readonly ValidationError[] {
  const seen = new Set<string>();
  return warnings.filter(({ policyId }) => !seen.has(policyId) && seen.add(policyId));
}

function isJudgedElsewhere({ error }: ValidationError): boolean {
  return / string `.*` contains mixed scripts$/s.test(error.message);
}

function located(
  { policyId, error }: ValidationError,
  rules: readonly ParsedRule[],
  actions: readonly string[],
): Problem[] {
  const rule = rules[Number(policyId)];
  if (rule === undefined) return [];
  const { file, offset, text } = rule;
  const complaint = actionComplaint(error.message, actions) ?? complaintOf(error);
  return [problemAt(file, offset + unitOffset(text, byteOffsetOf(error)), complaint)];
}

/** Cedar finds the shortest name nearest to any long one. */
function actionComplaint(message: string, actions: readonly string[]): Complaint | undefined {
  const [, action] = UNKNOWN_ACTION.exec(message) ?? [];
  if (action === undefined) return undefined;
  const reason = `there is no action ${quote(action)}`;
  const meant = nearest(action, actions);
  if (meant !== undefined) return { reason, help: `did you mean \`Action::"${meant}"\`?` };
  const [group = ''] = action.split('.', 1);
  const others = actions.filter((name) => name.startsWith(`${group}.`));
  const names = (others.length === 0 ? COMMON_ACTIONS : others).map((name) => `\`${name}\``);
  return { reason, help: `name one of ${names.join(', ')}` };
}

const UNKNOWN_ACTION = /unrecognized action `Action::"(.*)"`/s;
const COMMON_ACTIONS = ['tool.execute', 'tool.unattended', 'host.connect', 'workspace.open'];
