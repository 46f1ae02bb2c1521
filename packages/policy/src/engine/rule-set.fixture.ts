import type { PolicyJson, SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { readFileSync } from 'node:fs';
import type { GateTerms, Rule, RuleSet, Severity, Strength } from '../model.ts';
import { type Cedar, loadCedar } from './cedar.ts';

/** Rules as they stand, without any of the checks that a real set goes through. */
export async function ruleSetOf(text: string): Promise<RuleSet> {
  const { cedar, schema } = await SHIPPED;
  const rules = partsOf(cedar, text).map((part, place) => ruleOf(cedar, part, place));
  return {
    hash: sha256Hex(canonicalBytes(rules.map((rule) => rule.text))),
    mode: 'ask',
    files: [{ layer: 'operator', name: 'test.cedar', text }],
    rules,
    schema,
  };
}

function partsOf(cedar: Cedar, text: string): readonly string[] {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') throw new Error(parts.errors[0]?.message);
  return parts.policies;
}

function ruleOf(cedar: Cedar, text: string, place: number): Rule {
  const answer = cedar.policyToJson(text);
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  const annotations = answer.json.annotations ?? {};
  return {
    id: annotations['id'] ?? `rule-${place}`,
    layer: 'operator',
    file: 'test.cedar',
    line: 1,
    effect: answer.json.effect,
    text,
    annotations,
    json: answer.json,
    ...gateOf(answer.json),
    isHard: 'hard' in annotations,
  };
}

function gateOf({ annotations = {} }: PolicyJson): { readonly gate?: GateTerms } {
  if (annotations['gate'] === undefined) return {};
  const severities: Record<string, Severity> = { low: 'low', high: 'high', critical: 'critical' };
  const roles: Record<string, Role> = { admin: Role.ADMIN, owner: Role.OWNER };
  const strength: Strength = annotations['strength'] === 'passkey' ? 'passkey' : 'device';
  return {
    gate: {
      severity: severities[annotations['severity'] ?? ''] ?? 'medium',
      approvers: roles[annotations['approvers'] ?? ''] ?? Role.OPERATOR,
      quorum: Number(annotations['quorum'] ?? '1'),
      strength,
      waitSeconds: 300,
    },
  };
}

const SHIPPED = loadCedar().then((cedar) => ({ cedar, schema: schemaOf(cedar) }));

function schemaOf(cedar: Cedar): SchemaJson<string> {
  const file = new URL('../../policies/schema.cedarschema', import.meta.url);
  const answer = cedar.schemaToJson(readFileSync(file, 'utf8'));
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  return answer.json;
}
