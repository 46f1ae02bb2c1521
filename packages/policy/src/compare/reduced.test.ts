import { describe, expect, it } from 'vitest';
import { createEngine } from '../engine/engine.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import type { PolicyRequest, Rule } from '../model.ts';
import { Conditions } from './condition.ts';
import { conjunctsOf } from './expression.ts';
import { type Facts, reduced } from './reduced.ts';
import { readRules } from './remaining.ts';
import { siftOf } from './sift.ts';
import { PLAIN, PLAIN_COMMAND, type Situation, actContext } from './situation.ts';

/** Cedar's word on each of them for each situation is compared with ours. */
const CONDITIONS = [
  'context.channel == Channel::"cli"',
  'context.channel != Channel::"api"',
  '[Channel::"cli", Channel::"console"].contains(context.channel)',
  'context has process',
  '!(context has http)',
  'context has process && context.process.name == "git"',
  'context has process && context.process.arguments.containsAny(["push", "pull"])',
  'context has process && context.process.count >= 2',
  'context.hosts.all == ["a.example"]',
  'context.hosts.all == ["a.example", "b.example", "a.example"]',
  'context.hosts.all.isEmpty()',
  'context.hosts.ranges.contains(Range::"loopback")',
  'context.hosts.ports == [443]',
  'context.writes.all != ["x"]',
  'context.writes.allUnder.contains("docs") || context.writes.allUnder.contains("src")',
  '[Taint::"web"].containsAll(context.taint)',
  'context.argumentBytes < 7',
  '7 <= context.argumentBytes',
  '!(context.argumentBytes > 7 && context.bodyBytes == 0)',
  'principal == User::"anna"',
  'principal == User::"user:anna"',
  'principal is Token',
  'principal is User && resource == Tool::"fs.read"',
  'principal in Role::"admin"',
  '!(principal in Role::"owner")',
  'principal is User && principal.name == "Anna"',
  'resource.source == "built-in"',
  'resource.risk == Risk::"high"',
  'resource.capabilities.containsAny([Capability::"network", Capability::"browser"])',
  'context.capabilities.isEmpty()',
  'context.hosts.anyBare',
  'context has process && context.process has environment',
  'context has process && context.process has environment && context.process.environment.contains("LD_PRELOAD")',
  'if context has process then context.process.name == "git" else context.channel == Channel::"api"',
  '(context has process && context.process.count > 9) || true',
  'context has process && context.process.commandLine like "/usr/bin/git*"',
  'context has process && context.process.commandLine like "*push*-f"',
  'context has process && context.process.commandLine like "*push*push*"',
  'context has process && context.process.executable like "/usr/bin/git"',
  'context has process && context.process.executable like "*/git*git"',
  'context.channel == Channel::"cli" && context.agent like "*"',
  'context.agent like ""',
];
/** What is never foretold. */
const OPEN = [
  'context.unattended',
  'context has approval && context.approval.count >= 1',
  'context.argumentBytes + 1 == 1',
];

const SITUATIONS: readonly Situation[] = [
  PLAIN,
  { ...PLAIN, channel: 'api', argumentBytes: 7, taint: ['web'], writes: ['docs/a', 'docs/b'] },
  { ...PLAIN, channel: 'console', argumentBytes: 8, taint: ['web', 'mcp'], writes: ['x'] },
  { ...PLAIN, process: PLAIN_COMMAND, hosts: [{ name: 'a.example', port: 443, range: 'name' }] },
  {
    ...PLAIN,
    bodyBytes: 3,
    argumentBytes: 90,
    process: {
      executable: '/usr/bin/git',
      arguments: ['push', '-f'],
      directory: '.',
      environment: ['LD_PRELOAD'],
    },
    hosts: [
      { name: 'a.example', port: 80, range: 'name' },
      { name: 'b.example', port: 443, range: 'name' },
      { name: '127.0.0.1', port: 443, range: 'loopback' },
    ],
  },
];

function requestIn(situation: Situation): PolicyRequest {
  const [principal, resource] = [
    { type: 'User', id: 'anna' },
    { type: 'Tool', id: 'fs.read' },
  ];
  const risk = { type: 'Risk', id: 'low' };
  return {
    principal,
    action: 'tool.execute',
    resource,
    context: { ...actContext(situation), capabilities: [] },
    entities: [
      { uid: principal, attrs: { name: 'Anna' }, parents: [{ type: 'Role', id: 'admin' }] },
      { uid: resource, attrs: { capabilities: [], risk, source: 'built-in' }, parents: [] },
    ],
  };
}

function foretold({ json }: Rule, request: PolicyRequest): boolean | undefined {
  const each = conjunctsOf(json.conditions).map(({ expression, wants }) => {
    const holding = reduced(expression, { ...request, rest: 'absent' });
    return typeof holding === 'boolean' ? holding === wants : undefined;
  });
  if (each.includes(false)) return false;
  return each.includes(undefined) ? undefined : true;
}

describe('what is foretold of a condition', () => {
  it('is what Cedar says', async () => {
    const permits = CONDITIONS.map(
      (condition, place) =>
        `@id("c${place}") permit (principal, action, resource) when { ${condition} };`,
    );
    const loaded = await createEngine().load(await ruleSetOf(permits.join('\n')), 'scratch');
    for (const request of SITUATIONS.map(requestIn)) {
      const { ruleIds, errors } = loaded.evaluate(request);
      expect(errors).toEqual([]);
      const ours = loaded.set.rules.filter((rule) => foretold(rule, request) === true);
      expect(ours.map(({ id }) => id).toSorted()).toEqual([...ruleIds].toSorted());
      expect(loaded.set.rules.filter((rule) => foretold(rule, request) === undefined)).toEqual([]);
    }
  });

  it('is the same where rules are sorted by what they need, and only those looked at that find it', async () => {
    const permits = CONDITIONS.map(
      (condition, place) =>
        `@id("c${place}") permit (principal, action, resource) when { ${condition} };`,
    );
    const set = await ruleSetOf(permits.join('\n'));
    const read = readRules({ old: set, candidate: set, changed: new Set() }, new Conditions());
    const sift = siftOf(read.map((one) => ({ read: one, isOwn: true, open: one.conditions })));
    let spared = 0;
    for (const request of SITUATIONS.map(requestIn)) {
      const looked = new Set(sift(request.context).map(({ read: { rule } }) => rule));
      spared += set.rules.length - looked.size;
      const left = set.rules.filter((rule) => !looked.has(rule));
      expect(left.filter((rule) => foretold(rule, request) !== false)).toEqual([]);
    }
    expect(spared).toBeGreaterThan(0);
  });

  it('is nothing where it depends on an answer, or on what is not worked out here', async () => {
    const permits = OPEN.map(
      (condition, place) =>
        `@id("c${place}") permit (principal, action, resource) when { ${condition} };`,
    );
    const { rules } = await ruleSetOf(permits.join('\n'));
    const request = requestIn(PLAIN);
    expect(rules.map((rule) => foretold(rule, request))).toEqual(OPEN.map(() => undefined));
  });

  it('is nothing of circumstances that are not known', async () => {
    const { rules } = await ruleSetOf(
      '@id("a") permit (principal, action, resource) when { context has process };',
    );
    const facts: Facts = { ...requestIn(PLAIN), context: {}, rest: 'unknown' };
    const [rule] = rules.flatMap(({ json }) => conjunctsOf(json.conditions));
    expect(rule && reduced(rule.expression, facts)).toBe(rule?.expression);
  });

  it('is all that is left of it', async () => {
    const { rules } = await ruleSetOf(
      '@id("a") permit (principal, action, resource) when { (context.tier == Tier::"C" && context.unattended) || (principal is Token && context has approval) }; @id("b") permit (principal, action, resource) when { context.unattended };',
    );
    const [left, right] = rules.flatMap(({ json }) => conjunctsOf(json.conditions));
    const facts: Facts = { ...requestIn({ ...PLAIN, tier: 'C' }), rest: 'absent' };
    expect(left && reduced(left.expression, facts)).toEqual(right?.expression);
  });
});
