import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { CallFactsSchema, Capability, GainKind, PrincipalKind, Risk, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { baselineFiles, compiled, readJson } from '../baseline/baseline.fixture.ts';
import { decide } from '../engine/decide.ts';
import { createEngine } from '../engine/engine.ts';
import { explain } from '../explain/explain.ts';
import type { PolicyFile, PolicyRequest, RuleSet } from '../model.ts';
import { type CallToJudge, requestForCall } from '../request/call-request.ts';
import type { Who } from '../request/principal.ts';
import { NO_OWN_GROUND } from '../request/own-ground.ts';
import { isProblem } from '../request/problem.ts';
import { compareSets } from './compare-sets.ts';
import type { KnownTool } from './difference.ts';

const TOOLS: readonly KnownTool[] = [
  tool('fs.read', 'filesystem_read', 'low'),
  tool('fs.write', 'filesystem_write', 'medium'),
  tool('http.fetch', 'network', 'medium'),
  tool('memory.save', 'memory', 'low'),
  tool('process.run', 'process_exec', 'high'),
];
const NAMEABLE = { names: new Set(TOOLS.map(({ name }) => name)), prefixes: [] };

function tool(name: string, capability: string, risk: string): KnownTool {
  return { name, capabilities: [capability], risk, source: 'built-in' };
}

const ANNA: Who = {
  principal: 'user:anna',
  kind: PrincipalKind.USER,
  member: 'user:anna',
  name: 'Anna',
  role: Role.OPERATOR,
  scopes: [],
};
const HER_TOKEN: Who = {
  ...ANNA,
  principal: 'token:hers',
  kind: PrincipalKind.TOKEN,
  scopes: ['sessions.use'],
};
const HER_AGENT: Who = { ...ANNA, principal: 'agent:helper', kind: PrincipalKind.AGENT };

interface Call extends Partial<Omit<CallToJudge, 'proposal'>> {
  readonly tool: string;
  readonly can: Capability;
  readonly facts: MessageInitShape<typeof CallFactsSchema>;
}

function requestOf({ tool: name, can, facts, ...more }: Call): PolicyRequest {
  const asked = requestForCall(
    {
      proposal: {
        runId: 'a-run',
        sessionId: 'a-session',
        tool: name,
        capabilities: [can],
        risk: Risk.MEDIUM,
        facts: create(CallFactsSchema, { argumentsSha256: 'ab'.repeat(32), ...facts }),
      },
      source: 'built-in',
      standing: ANNA,
      channel: 'cli',
      deviceId: '',
      ...more,
    },
    { now: new Date('2026-11-16T12:00:00Z'), own: NO_OWN_GROUND },
  );
  if (isProblem(asked)) throw new Error(asked.problem);
  return asked;
}

function setWith(text: string): RuleSet {
  const more: PolicyFile[] = text === '' ? [] : [{ layer: 'operator', name: 'a.cedar', text }];
  return compiled([...baselineFiles('ask'), ...more], 'ask');
}

/** What is gained with the smallest rule for a call. */
async function gainsOf(call: Call, rules = ''): Promise<readonly string[]> {
  const old = setWith(rules);
  const loaded = await createEngine().load(old, 'scratch');
  const explained = await explain(loaded, decide(loaded, requestOf(call)), NAMEABLE);
  expect(explained.smallestRule).not.toBe('');
  const isException = explained.smallestRule.includes('forbid');
  const candidate = setWith(`${isException ? '' : rules}\n${explained.smallestRule}`);
  const { gains, losses } = await compareSets(old, candidate, { tools: TOOLS });
  expect(losses).toEqual([]);
  expect(gains.every(({ ruleIds }) => ruleIds.length === 1)).toBe(true);
  return gains.map(({ kind, principal, what }) => `${nameOf(kind)}: ${principal}: ${what}`);
}

function nameOf(kind: GainKind): string {
  return Object.entries(GainKind).find(([, value]) => value === kind)?.[0] ?? '';
}

function host(name: string, port = 443) {
  return { name, port, range: 'name' };
}

const FETCH = { tool: 'http.fetch', can: Capability.NETWORK } as const;
const WRITE = { tool: 'fs.write', can: Capability.FILESYSTEM_WRITE } as const;
const RUN = { tool: 'process.run', can: Capability.PROCESS_EXEC } as const;

describe('the smallest rule for a call', () => {
  it('is found to be a tool, and the host that it reaches', async () => {
    const http = { method: 'POST', scheme: 'https', host: 'api.example', port: 8443, path: '/v1' };
    const facts = { hosts: [host('api.example', 8443)], http, argumentBytes: 90, bodyBytes: 12 };
    const gains = await gainsOf({ ...FETCH, standing: HER_TOKEN, taint: ['web'], facts });
    expect(gains).toEqual([
      'TOOL: token:hers with every scope: http.fetch',
      'HOST: token:hers with every scope: api.example:8443, through http.fetch',
    ]);
  });

  it('is found to be a host where others were reached before', async () => {
    const rules = `@id("one") @says("one host") permit (principal is Token, action == Action::"tool.execute", resource == Tool::"http.fetch") when { context.hosts.allUnder.contains("a.example") };`;
    const facts = { hosts: [host('b.example'), host('c.example')], argumentBytes: 9 };
    const gains = await gainsOf({ ...FETCH, standing: HER_TOKEN, facts }, rules);
    expect(gains).toEqual([
      'HOST: token:hers with every scope: b.example, through http.fetch',
      'HOST: token:hers with every scope: c.example, through http.fetch',
    ]);
  });

  it('is found to be a path to write', async () => {
    const rules = `@id("docs") @says("docs only") permit (principal is Token, action == Action::"tool.execute", resource == Tool::"fs.write") when { context.writes.allUnder.contains("docs") };`;
    const facts = { writes: ['src/main.ts'], reads: ['src/main.ts'], argumentBytes: 700 };
    const gains = await gainsOf({ ...WRITE, standing: HER_TOKEN, facts }, rules);
    expect(gains).toEqual([
      'WRITE_ROOT: token:hers with every scope: src/main.ts, through fs.write',
    ]);
  });

  it('is found to be a tool', async () => {
    const call = { tool: 'memory.save', can: Capability.MEMORY, facts: { argumentBytes: 5 } };
    expect(await gainsOf({ ...call, standing: HER_TOKEN })).toEqual([
      'TOOL: token:hers with every scope: memory.save',
    ]);
  });

  it('is found for an agent that acts for one person', async () => {
    const facts = { reads: ['a.txt', 'b.txt'], argumentBytes: 5 };
    const call = { tool: 'fs.read', can: Capability.FILESYSTEM_READ, facts };
    expect(await gainsOf({ ...call, standing: HER_AGENT })).toEqual([
      'TOOL: agent:helper: fs.read',
    ]);
  });

  it('is found to spare a question, of a command with anything in it', async () => {
    const process = { executable: '/usr/bin/git', directory: 'src' };
    const facts = { process: { ...process, arguments: ['commit', '-m', 'say "hi"\n', ''] } };
    const gains = await gainsOf({ ...RUN, facts });
    expect(gains).toHaveLength(1);
    expect(gains[0]).toMatch(
      /^GATE_REMOVED: user:anna: process\.run \(with a command, command .*git commit/,
    );
  });

  it('is found to be an exception from what forbids it', async () => {
    const rules = `@id("evil") @says("not there") forbid (principal, action == Action::"tool.execute", resource) when { context.hosts.anyUnder.contains("evil.example") };`;
    const facts = { hosts: [host('www.evil.example')], argumentBytes: 9 };
    expect(await gainsOf({ ...FETCH, facts }, rules)).toEqual([
      'HOST: user:anna: www.evil.example, through http.fetch',
    ]);
  });
});

describe('the tools of these tests', () => {
  it('are shipped', () => {
    expect(readJson('tools/built-in.json')).toMatchObject(
      Object.fromEntries(TOOLS.map(({ name }) => [name, {}])),
    );
  });
});
