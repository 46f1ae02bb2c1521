import { isJsonObject } from '@palyra/kernel';
import { MODE_RULES } from '../built-in/gen/rules.ts';

/** Of the rules of every mode, whichever is chosen: another can be chosen tomorrow. */
export function modeRuleIds(): ReadonlySet<string> {
  return new Set(Object.values(MODE_RULES).flatMap(idsIn));
}

function idsIn(text: string): readonly string[] {
  const rules: unknown = JSON.parse(text);
  if (!Array.isArray(rules)) return [];
  return rules.filter(isJsonObject).flatMap(({ annotations }) => {
    const id = isJsonObject(annotations) ? annotations['id'] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}
