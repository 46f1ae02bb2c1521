import { Capability, Risk } from '@palyra/protocol';
import { readFileSync, readdirSync } from 'node:fs';
import * as z from 'zod';
import { createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { ModeInForce, PolicyFile, RuleSet } from '../model.ts';
import { compile } from '../sets/compile.ts';
import type { CaseTool, CaseTools } from '../cases/case-request.ts';

const POLICIES = new URL('../../policies/', import.meta.url);
export const CORPUS = new URL('../../../../tests/corpus/policy/', import.meta.url);

/** As they lie in the folder, so that a change shows before anything was generated from it. */
export function baselineFiles(mode: ModeInForce): readonly PolicyFile[] {
  const names = readdirSync(POLICIES).filter((name) => name.endsWith('.cedar'));
  return [...names, `modes/${mode}.cedar`].map((name) => ({
    layer: 'built-in',
    name,
    text: readFileSync(new URL(name, POLICIES), 'utf8'),
  }));
}

/** Contract: throws for a set that is refused, with every reason. */
export function compiled(files: readonly PolicyFile[], mode: ModeInForce): RuleSet {
  const tools = { names: new Set(Object.keys(TOOLS)), prefixes: ['mcp.'] };
  const result = compile(files, { mode, tools });
  if (result.kind === 'compiled') return result.set;
  const problems = result.problems.map(
    ({ file, line, column, reason }) => `${file}:${line}:${column}: ${reason}`,
  );
  throw new Error(problems.join('\n'));
}

export async function loadedBaseline(
  mode: ModeInForce,
  more: readonly PolicyFile[] = [],
): Promise<LoadedSet> {
  return await createEngine().load(compiled([...baselineFiles(mode), ...more], mode), 'active');
}

export function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, CORPUS), 'utf8'));
}

const manifests = z.record(
  z.string(),
  z.strictObject({ risk: z.string(), capabilities: z.array(z.string()) }),
);

const TOOLS = manifests.parse(readJson('tools/built-in.json'));

export const builtInNames: readonly string[] = Object.keys(TOOLS);

/** Without the catalogue, which is another box: tests/corpus/policy compares the two. */
export const builtInTools: CaseTools = {
  find: (name) => {
    const tool = TOOLS[name];
    return tool === undefined ? undefined : toolOf(tool);
  },
};

function toolOf({ risk, capabilities }: (typeof TOOLS)[string]): CaseTool {
  const known = byWord(Capability);
  return {
    risk: byWord(Risk).get(risk) ?? Risk.UNSPECIFIED,
    capabilities: capabilities.map((word) => known.get(word) ?? Capability.UNSPECIFIED),
    source: 'built-in',
    understand: () => ({ kind: 'not-understood', reason: 'these tools read no arguments' }),
  };
}

function byWord<Value>(names: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(names).map(([name, value]) => [name.toLowerCase(), value]));
}
