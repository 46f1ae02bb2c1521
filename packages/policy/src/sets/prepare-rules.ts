import type { PolicyJson, SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { ModeInForce, PolicyFile } from '../model.ts';
import { invalid } from './problems.ts';

/** What Cedar makes of each file, by its name. */
export interface ReadFiles {
  readonly schema: SchemaJson<string>;
  readonly rules: Readonly<Record<string, readonly PolicyJson[]>>;
}

export interface FilesToPrepare {
  readonly mode: ModeInForce;
  readonly schema: string;
  readonly files: readonly PolicyFile[];
}

/** For whoever ships rules. Contract: rejects with POLICY_INVALID, naming the first mistake. */
export async function prepareRules({ mode, schema, files }: FilesToPrepare): Promise<ReadFiles> {
  const { compileAfresh } = await import('./compile.ts');
  const compiled = compileAfresh(files, { mode, schema });
  if (compiled.kind === 'refused') throw invalid(compiled.problems);
  const rules = Object.groupBy(compiled.set.rules, ({ file }) => file);
  return {
    schema: compiled.set.schema,
    rules: Object.fromEntries(
      files.map(({ name }) => [name, (rules[name] ?? []).map(({ json }) => json)]),
    ),
  };
}
