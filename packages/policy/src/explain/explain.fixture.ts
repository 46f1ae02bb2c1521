import type { JsonObject } from '@palyra/kernel';
import { decide } from '../engine/decide.ts';
import { createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import type { EntityRef, PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';

const engine = createEngine();

/** Rules that a person could have written, and one gate. */
export const RULES = `
@id("git-looks")
@says("git may look around")
permit (
  principal in Role::"operator",
  action == Action::"tool.execute",
  resource == Tool::"process.run"
)
when {
  context.channel == Channel::"cli" &&
  context has process &&
  context.process.name == "git" &&
  context.process.first == "status"
}
unless { context.taint.contains(Taint::"web") };

@id("programs-ask")
@says("a program is to be run")
@gate("approval")
@approvers("admin")
forbid (principal, action == Action::"tool.execute", resource)
when { context has process }
unless { context.unattended || (context has approval && context.approval.count >= 1) };
`;

export async function load(text: string, change: Partial<Rule> = {}): Promise<LoadedSet> {
  const set = await ruleSetOf(text);
  return engine.load(
    { ...set, rules: set.rules.map((rule) => ({ ...rule, ...change })) },
    'scratch',
  );
}

export function explainCall(
  loaded: LoadedSet,
  request: PolicyRequest,
  tools?: KnownTools,
): Promise<Explanation> {
  return explain(loaded, decide(loaded, request), tools);
}

/** How calls are decided once the offered text stands among the rules, loaded from scratch. */
export async function decideWith(
  rules: string,
  offered: string,
  requests: readonly PolicyRequest[],
): Promise<readonly PolicyDecision[]> {
  const set = await ruleSetOf(`${rules}\n\n${offered}`);
  const byId = new Map(set.rules.map((rule) => [rule.id, rule]));
  const loaded = await engine.load({ ...set, rules: [...byId.values()] }, 'scratch');
  return requests.map((request) => decide(loaded, request));
}

interface Call {
  readonly principal?: EntityRef;
  readonly role?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly context?: JsonObject;
}

/** A call that reads, writes and reaches nothing, by an operator, from the command line. */
export function call({ principal = ANNA, role = 'operator', ...others }: Call = {}): PolicyRequest {
  const resource = { type: 'Tool', id: others.tool ?? 'process.run' };
  const { source = 'built-in' } = others;
  const tool = { capabilities: [], risk: { type: 'Risk', id: 'high' }, source };
  const attrs = principal.type === 'Agent' ? { actsFor: 'user:anna' } : { name: 'Anna' };
  const parents = principal.type === 'Agent' ? [] : [{ type: 'Role', id: role }];
  return {
    principal,
    action: 'tool.execute',
    resource,
    context: { ...CONTEXT, ...others.context },
    entities: [
      { uid: principal, attrs, parents },
      { uid: resource, attrs: tool, parents: [] },
    ],
  };
}

export const ANNA: EntityRef = { type: 'User', id: 'user:anna' };

export function git(...words: readonly string[]): { readonly process: JsonObject } {
  return {
    process: {
      executable: '/usr/bin/git',
      name: 'git',
      first: words[0] ?? '',
      arguments: [...new Set(words)].toSorted(),
      names: [],
      count: words.length,
      commandLine: ['/usr/bin/git', ...words].join(' '),
      directory: '.',
    },
  };
}

export function paths(...all: readonly string[]): JsonObject {
  const under = { allUnder: [], anyUnder: [] };
  return { all: [...all], ...under, names: [], extensions: [], parts: [], ofGateway: false };
}

export function hosts(names: readonly string[], ports: readonly number[]): JsonObject {
  const under = { allUnder: [], anyUnder: [], anyBare: false };
  return { all: [...names], ...under, ranges: [], ports: [...ports] };
}

const CONTEXT: JsonObject = {
  channel: { type: 'Channel', id: 'cli' },
  device: '',
  agent: 'palyra',
  session: 'session:1',
  run: 'run:1',
  workspace: '/home/anna/work',
  skill: '',
  capabilities: [],
  tier: { type: 'Tier', id: 'none' },
  taint: [],
  budget: { type: 'Budget', id: 'unlimited' },
  time: { date: '2026-11-16', weekday: 1, hour: 3, minute: 30 },
  unattended: false,
  reads: paths(),
  writes: paths(),
  hosts: hosts([], []),
  secrets: [],
  argumentBytes: 20,
  bodyBytes: 0,
  argumentsSha256: '0'.repeat(64),
};
