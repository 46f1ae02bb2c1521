import { join } from 'node:path';
import { quote } from '@palyra/kernel';
import { decide } from '../engine/decide.ts';
import { createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { Mode, PolicyFile, Problem } from '../model.ts';
import { builtInFiles } from '../sets/built-in.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import { CASE_FILE_SUFFIX, type LocatedCase, parseCases } from '../cases/case-file.ts';
import type { CaseTools } from '../cases/case-request.ts';
import { runCases } from '../cases/run-cases.ts';
import { runPolicyJob } from '../worker/run-job.ts';
import { filesAt, readDraft, textAt } from './read-rules.ts';

export interface TestOptions {
  /** For cases that name none. */
  readonly mode: Mode;
  readonly tools: KnownTools;
  readonly catalogue: CaseTools;
}

export interface TestedCase {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly passed: boolean;
  readonly expected: string;
  readonly got: string;
  readonly rules: readonly string[];
  readonly difference: string;
}

export interface TestReport {
  /** Where cases were looked for; without any there are no results, and nothing is proven. */
  readonly folder: string;
  readonly results: readonly TestedCase[];
  readonly problems: readonly Problem[];
}

/** Runs the cases of a folder and of its `tests/` against its rules and the built-in ones. */
export async function testRules(folder: string, options: TestOptions): Promise<TestReport> {
  const { cases, problems } = readCases(folder);
  const unknown = cases.flatMap(({ located }) => unknownNames(located, options.catalogue));
  if (problems.length + unknown.length > 0) {
    return { folder, results: [], problems: [...problems, ...unknown] };
  }
  const results: TestedCase[] = [];
  for (const [mode, ofMode] of Map.groupBy(cases, (each) => each.mode ?? options.mode)) {
    const loaded = await load(folder, mode, options);
    if ('problems' in loaded) return { folder, results: [], problems: loaded.problems };
    const world = {
      decide: (request: Parameters<typeof decide>[1]) => decide(loaded, request),
      tools: options.catalogue,
    };
    const ran = runCases(
      ofMode.map(({ located }) => located),
      world,
    );
    results.push(...ran.map(testedCase));
  }
  return { folder, results, problems: [] };
}

/**
 * A name with a typo in it would be denied, and look like a rule that works. Whoever says where a tool
 * comes from means one that is not here.
 */
function unknownNames(each: LocatedCase, tools: CaseTools): readonly Problem[] {
  const { tool, source, agent, principal, file, lines } = each;
  const isTool = tool === undefined || source !== undefined || tools.find(tool) !== undefined;
  const [kind, name = ''] = principal.split(/:(.*)/su, 2);
  return [
    ...(isTool ? [] : [problem(file, lines.tool, `there is no tool ${quote(tool)}`)]),
    ...(isAgent(agent) ? [] : [unknownAgent(file, lines.agent, agent)]),
    ...(kind !== 'agent' || isAgent(name) ? [] : [unknownAgent(file, lines.principal, name)]),
  ];
}

function unknownAgent(file: string, line: number, name: string): Problem {
  return problem(
    file,
    line,
    `there is no agent ${quote(name)}, only ${AGENTS.map(quote).join(', ')}`,
  );
}

/** Every agent that there is. */
const AGENTS: readonly string[] = ['palyra'];

function isAgent(name: string): boolean {
  return AGENTS.includes(name);
}

function testedCase(result: ReturnType<typeof runCases<LocatedCase>>[number]): TestedCase {
  const { file, line, name, expect } = result.case;
  const { passed, got, rules, difference } = result;
  return { file, line, name, passed, expected: expect, got, rules, difference };
}

interface FoundCase {
  readonly mode: Mode | undefined;
  readonly located: LocatedCase;
}

function readCases(folder: string): {
  readonly cases: readonly FoundCase[];
  readonly problems: readonly Problem[];
} {
  const found = [folder, join(folder, 'tests')].flatMap(
    (path) => filesAt(path, CASE_FILE_SUFFIX) ?? [],
  );
  const cases: FoundCase[] = [];
  const problems: Problem[] = [];
  for (const file of found) {
    const text = textAt(file);
    if (text.kind === 'refused') {
      problems.push(problem(file, 1, text.complaint.reason));
      continue;
    }
    const parsed = parseCases(text.text, file);
    if (parsed.kind === 'refused') {
      problems.push(...parsed.problems.map(({ line, reason }) => problem(file, line, reason)));
      continue;
    }
    const { mode, cases: located } = parsed.file;
    cases.push(...located.map((each) => ({ mode, located: each })));
  }
  return { cases, problems };
}

function problem(file: string, line: number, reason: string): Problem {
  const help = 'docs/guides/policy.md shows how cases are written';
  return { layer: 'operator', file, line, column: 1, reason, help };
}

async function load(
  folder: string,
  mode: Mode,
  { tools }: TestOptions,
): Promise<LoadedSet | { readonly problems: readonly Problem[] }> {
  const draft = readDraft([folder], 'operator');
  const builtIn = builtInFiles(mode);
  const isOurs = isShipped(draft.files, builtIn);
  if (!isOurs && draft.problems.length > 0) return { problems: draft.problems };
  const files = isOurs ? builtIn : [...builtIn, ...draft.files];
  const batch = { files, options: { mode, tools } };
  const compiled = await runPolicyJob('compile', { init: undefined, batch });
  if (compiled.kind === 'refused') return { problems: compiled.problems };
  return await createEngine().load(compiled.set, 'active');
}

/** The folder that the rules of the gateway are made in: they are here already, word for word. */
function isShipped(files: readonly PolicyFile[], builtIn: readonly PolicyFile[]): boolean {
  const texts = new Set(files.map(({ text }) => text));
  const shared = builtIn.filter(({ text }) => texts.has(text));
  return texts.size === files.length && shared.length === files.length && files.length > 1;
}
