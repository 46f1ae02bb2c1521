import { setImmediate as nextTurn } from 'node:timers/promises';
import { quote } from '@palyra/kernel';
import type { Mode, PolicyFile, PolicyRequest, Problem } from '../model.ts';
import { type RequestProblem, isProblem } from '../request/problem.ts';
import { builtInFiles } from '../sets/built-in.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import { runPolicyJob } from '../worker/run-job.ts';
import { type LocatedCase, parseCases } from './case-file.ts';
import { type CaseTools, requestForCase } from './case-request.ts';
import { type CaseResult, judgeCase } from './run-cases.ts';

export interface TrialOptions {
  /** For cases that name none. */
  readonly mode: Mode;
  readonly tools: KnownTools;
  readonly catalogue: CaseTools;
  readonly signal?: AbortSignal;
}

export interface CaseText {
  readonly name: string;
  readonly text: string;
}

export interface Trial {
  /** What stands beside those that are built in. */
  readonly rules: readonly PolicyFile[];
  readonly cases: readonly CaseText[];
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

export interface Tested {
  readonly results: readonly TestedCase[];
  /** With any of them nothing was run. */
  readonly problems: readonly Problem[];
}

/** Puts cases to rules that need not be in force, in a process of their own. Changes nothing. */
export async function tryCases(trial: Trial, options: TrialOptions): Promise<Tested> {
  const { cases, problems } = readCases(trial.cases);
  const unknown = cases.flatMap(({ located }) => unknownNames(located, options.catalogue));
  if (problems.length + unknown.length > 0) {
    return { results: [], problems: [...problems, ...unknown] };
  }
  const results: TestedCase[] = [];
  for (const [mode, ofMode] of Map.groupBy(cases, (each) => each.mode ?? options.mode)) {
    const files = [...builtInFiles(mode), ...trial.rules];
    const located = ofMode.map((each) => each.located);
    const tried = await tryUnder(files, located, { ...options, mode });
    if (tried.problems.length > 0) return tried;
    results.push(...tried.results);
  }
  return { results, problems: [] };
}

async function tryUnder(
  files: readonly PolicyFile[],
  cases: readonly LocatedCase[],
  { mode, tools, catalogue, signal }: TrialOptions,
): Promise<Tested> {
  const asked = await askedBy(cases, catalogue);
  const requests = asked.filter((each): each is PolicyRequest => !isProblem(each));
  const batch = { files, options: { mode, tools }, requests };
  const answer = await runPolicyJob('trial', { init: undefined, batch }, signal);
  if (answer.kind === 'refused') return { results: [], problems: answer.problems };
  const decisions = answer.decisions.values();
  const results = cases.flatMap((each, index) => {
    const question = asked[index];
    const decision =
      question !== undefined && isProblem(question) ? question : decisions.next().value;
    return decision === undefined ? [] : [testedCase(judgeCase(each, decision))];
  });
  return { results, problems: [] };
}

/** Whoever decides meanwhile has a turn between them. */
const CASES_IN_A_TURN = 50;

async function askedBy(
  cases: readonly LocatedCase[],
  catalogue: CaseTools,
): Promise<readonly (PolicyRequest | RequestProblem)[]> {
  const asked: (PolicyRequest | RequestProblem)[] = [];
  for (const each of cases) {
    if (asked.length % CASES_IN_A_TURN === 0) await nextTurn();
    asked.push(requestForCase(each, catalogue));
  }
  return asked;
}

function testedCase(result: CaseResult<LocatedCase>): TestedCase {
  const { file, line, name, expect } = result.case;
  const { passed, got, rules, difference } = result;
  return { file, line, name, passed, expected: expect, got, rules, difference };
}

interface FoundCase {
  readonly mode: Mode | undefined;
  readonly located: LocatedCase;
}

function readCases(texts: readonly CaseText[]): {
  readonly cases: readonly FoundCase[];
  readonly problems: readonly Problem[];
} {
  const cases: FoundCase[] = [];
  const problems: Problem[] = [];
  for (const { name, text } of texts) {
    const parsed = parseCases(text, name);
    if (parsed.kind === 'refused') {
      problems.push(...parsed.problems.map(({ line, reason }) => caseProblem(name, line, reason)));
      continue;
    }
    const { mode, cases: located } = parsed.file;
    cases.push(...located.map((each) => ({ mode, located: each })));
  }
  return { cases, problems };
}

/** About a line of a file of cases. */
export function caseProblem(file: string, line: number, reason: string): Problem {
  const help = 'docs/guides/policy.md shows how cases are written';
  return { layer: 'operator', file, line, column: 1, reason, help };
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
    ...(isTool ? [] : [caseProblem(file, lines.tool, `there is no tool ${quote(tool)}`)]),
    ...(isAgent(agent) ? [] : [unknownAgent(file, lines.agent, agent)]),
    ...(kind !== 'agent' || isAgent(name) ? [] : [unknownAgent(file, lines.principal, name)]),
  ];
}

function unknownAgent(file: string, line: number, name: string): Problem {
  return caseProblem(
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
