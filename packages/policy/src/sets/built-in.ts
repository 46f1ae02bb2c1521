import { MODE_TEXTS, RULE_TEXTS, SCHEMA_TEXT } from '../built-in/gen/files.ts';
import type { ModeInForce, PolicyFile } from '../model.ts';

export { SCHEMA_TEXT };

/** The rules that are shipped, and of the modes only the one that is asked for. */
export function builtInFiles(mode: ModeInForce): readonly PolicyFile[] {
  const rules = Object.entries(RULE_TEXTS).map(([name, text]) => builtIn(name, text));
  const file = `${mode}.cedar` as const;
  return [...rules, builtIn(`modes/${file}`, MODE_TEXTS[file])];
}

function builtIn(name: string, text: string): PolicyFile {
  return { layer: 'built-in', name, text };
}
