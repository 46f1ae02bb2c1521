import { type SchemaJson, type ValidationError, validate } from '@cedar-policy/cedar-wasm/nodejs';
import type { Problem } from '../model.ts';
import { byteOffsetOf, complaintOf, unitOffset } from './cedar-words.ts';
import type { ParsedRule } from './parse-file.ts';
import { problemAt, problemOf } from './problems.ts';

/**
 * Strictly against the schema. What Cedar only warns of is refused as well: a rule that can never
 * apply is a mistake, and one that its writer relies on. The exception are strings of several
 * scripts, which `look-alikes.ts` judges word by word; a path may well have folders in two.
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
    // Each was parsed before, so this names no rule: it is about all of them.
    return answer.errors.map((error) => problemOf(first.file, complaintOf(error)));
  }
  const { validationErrors, validationWarnings } = answer;
  const wrong = new Set(validationErrors.map(({ policyId }) => policyId));
  const warnings = firstOfEach(
    validationWarnings.filter(
      (warning) => !wrong.has(warning.policyId) && !isJudgedElsewhere(warning),
    ),
  );
  return oncePerPlace([...validationErrors, ...warnings].flatMap((found) => located(found, rules)));
}

/** Cedar tells a mistake again for each action and each kind of principal that the rule is about. */
function oncePerPlace(problems: readonly Problem[]): readonly Problem[] {
  const places = Map.groupBy(
    problems,
    ({ layer, file, line, column }) => `${layer} ${file} ${line}:${column}`,
  );
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

function located({ policyId, error }: ValidationError, rules: readonly ParsedRule[]): Problem[] {
  const rule = rules[Number(policyId)];
  if (rule === undefined) return [];
  const { file, offset, text } = rule;
  return [problemAt(file, offset + unitOffset(text, byteOffsetOf(error)), complaintOf(error))];
}
