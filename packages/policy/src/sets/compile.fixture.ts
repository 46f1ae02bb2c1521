import type { PolicyFile, Problem, RuleSet } from '../model.ts';
import type { KnownTools } from './check-rule.ts';
import { compile } from './compile.ts';

export const TOOLS: KnownTools = {
  names: new Set(['fs.read', 'fs.write', 'process.run']),
  prefixes: ['mcp.'],
};
export const HEAD = '@id("a")\n@says("something")\n';
export const SCOPE = 'principal, action == Action::"tool.execute", resource';
export const OPENS = 'unless { context has approval && context.approval.count >= 1 }';

export function operator(text: string): PolicyFile {
  return { layer: 'operator', name: 'own.cedar', text };
}

/** With ids as a workspace may have them. */
export function workspace(text: string): PolicyFile {
  const prefixed = text.replaceAll('@id("', '@id("workspace-');
  return { layer: 'workspace', name: 'own.cedar', text: prefixed };
}

export function permit(rest: string): string {
  return `${HEAD}permit (${SCOPE}) ${rest};`;
}

export function forbid(rest: string): string {
  return `${HEAD}forbid (${SCOPE}) ${rest};`;
}

/** `terms` are further annotations, the first without its `@`. */
export function gate(terms: string): string {
  const more = terms === '' ? '' : ` @${terms}`;
  return `@id("a") @says("x") @gate("approval")${more}\nforbid (${SCOPE}) ${OPENS};`;
}

export function named(id: string): string {
  return `@id("${id}") @says("x") permit (${SCOPE});`;
}

export function compiled(files: readonly PolicyFile[]): RuleSet {
  const result = compile(files, { mode: 'ask', tools: TOOLS });
  if (result.kind === 'compiled') return result.set;
  throw new Error(JSON.stringify(result.problems));
}

export function problemsOf(files: readonly PolicyFile[]): readonly Problem[] {
  const result = compile(files, { mode: 'ask', tools: TOOLS });
  return result.kind === 'refused' ? result.problems : [];
}
