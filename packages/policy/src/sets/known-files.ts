import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { isJsonObject } from '@palyra/kernel';
import { MODE_TEXTS, RULE_TEXTS } from '../built-in/gen/files.ts';
import { MODE_RULES, RULES, SCHEMA } from '../built-in/gen/rules.ts';
import type { PolicyFile } from '../model.ts';
import type { ParsedFile } from './parse-file.ts';
import { isRuleJson, pairRules } from './pair-rules.ts';

/**
 * What Cedar made of a built-in file when it was generated. Contract: `undefined` for any other
 * file, and for one whose text is not exactly the one that is shipped.
 */
export function knownFile(file: PolicyFile): ParsedFile | undefined {
  if (file.layer !== 'built-in' || TEXTS[file.name] !== file.text) return undefined;
  const jsons = parsed(READ[file.name] ?? '');
  if (!Array.isArray(jsons) || !jsons.every(isRuleJson)) return undefined;
  const rules = pairRules([file], jsons);
  return rules === undefined ? undefined : { rules, problems: [] };
}

/** The built-in schema. */
export function knownSchema(): SchemaJson<string> {
  const schema = parsed(SCHEMA);
  if (isSchema(schema)) return schema;
  throw new TypeError('the generated schema is not an object');
}

const TEXTS = byName(RULE_TEXTS, MODE_TEXTS);
const READ = byName(RULES, MODE_RULES);

function byName(
  rules: Readonly<Record<string, string>>,
  modes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const inModes = Object.entries(modes).map(([name, text]) => [`modes/${name}`, text] as const);
  return Object.fromEntries([...Object.entries(rules), ...inModes]);
}

function isSchema(value: unknown): value is SchemaJson<string> {
  return isJsonObject(value);
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
