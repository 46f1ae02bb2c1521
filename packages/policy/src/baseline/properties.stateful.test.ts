import { isJsonObject } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../engine/decide.ts';
import { type Engine, createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyDecision, PolicyFile, PolicyRequest } from '../model.ts';
import { baselineFiles, compiled, loadedBaseline } from './baseline.fixture.ts';
import { askings, circumstances, questions, requestOf } from './questions.fixture.ts';

/** As wide as a rule can be: whatever still is denied, no permit of anybody can allow. */
const EVERYTHING: PolicyFile = {
  layer: 'operator',
  name: 'everything.cedar',
  text: '@id("everything")\n@says("everybody may do everything")\npermit (principal, action, resource);\n',
};

const HARD: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['only-people-govern', { principal: 'agent:palyra', action: 'policy.manage' }],
  [
    'agents-do-not-run-palyra',
    { tool: 'process.run', facts: { process: { executable: 'palyra' } } },
  ],
  [
    'agents-do-not-read-the-gateways-files',
    { tool: 'fs.read', facts: { reads: ['/home/ada/.config/palyra/device.key'] } },
  ],
  [
    'agents-do-not-read-the-gateways-files',
    {
      tool: 'fs.read',
      workspace: '/srv/gw',
      gateway: ['/srv/gw/state'],
      facts: { reads: ['state/x'] },
    },
  ],
  [
    'agents-do-not-write-the-gateways-files',
    { tool: 'fs.write', workspace: '/home/ada', facts: { writes: ['.config/palyra/policies/a'] } },
  ],
  [
    'agents-do-not-run-palyra',
    {
      tool: 'process.run',
      facts: { process: { executable: 'bash', arguments: ['-c', 'palyra'] } },
    },
  ],
  ['private-names-are-not-reached', { tool: 'http.fetch', facts: { hosts: [{ name: 'router' }] } }],
  [
    'protected-paths-are-not-written',
    { tool: 'fs.write', facts: { writes: ['a', '.git/config'] } },
  ],
  ['nothing-outside-the-workspace-is-written', { tool: 'fs.write', facts: { writes: ['/a'] } }],
  [
    'private-addresses-are-not-reached',
    { tool: 'http.fetch', facts: { hosts: [{ name: '10.0.0.1', range: 'private' }] } },
  ],
  [
    'private-names-are-not-reached',
    { tool: 'http.fetch', facts: { hosts: [{ name: 'localhost' }] } },
  ],
  [
    'connections-to-private-addresses-are-not-made',
    { action: 'host.connect', resource: { type: 'Host', id: '::1', range: 'loopback' } },
  ],
  [
    'connections-to-private-addresses-are-not-made',
    {
      action: 'host.connect',
      resource: { type: 'Host', id: 'a.example', range: 'metadata', listed: true },
      facts: { hosts: [{ name: 'a.example' }] },
    },
  ],
  [
    'skills-only-when-active',
    { action: 'skill.execute', resource: { type: 'Skill', id: 'x', active: false } },
  ],
  ['tokens-stay-in-their-scopes', { principal: 'token:ci', scopes: [], action: 'memory.use' }],
  [
    'tokens-without-a-scope-for-runs-run-nothing',
    { principal: 'token:ci', scopes: ['memory.use'], tool: 'fs.read' },
  ],
  [
    'nobody-speaks-for-others',
    {
      principal: 'user:ada',
      action: 'work.speak',
      resource: { type: 'Work', owner: 'user:bob' },
    },
  ],
  [
    'nobody-speaks-for-others',
    {
      principal: 'token:ci',
      action: 'work.speak',
      resource: { type: 'Work', owner: 'user:ada' },
    },
  ],
  [
    'nobody-reaches-above-themselves',
    {
      principal: 'user:ada',
      role: 'admin',
      action: 'people.admit',
      resource: { type: 'Member', user: 'user:bob', role: 'owner' },
    },
  ],
  [
    'nobody-reaches-above-themselves',
    {
      principal: 'user:ada',
      role: 'operator',
      action: 'people.change',
      resource: { type: 'Member', role: 'admin' },
    },
  ],
  [
    'nobody-takes-the-token-of-another',
    {
      principal: 'user:ada',
      action: 'people.rotate',
      resource: { type: 'Member', user: 'user:bob' },
    },
  ],
];

const ASKED_OF_THE_GATEWAY = new Set<unknown>([
  'policy.manage',
  'memory.use',
  'work.speak',
  'people.admit',
  'people.change',
  'people.rotate',
]);

describe('a hard forbid', () => {
  it('is one of those that are tested here', () => {
    const { rules } = compiled(baselineFiles('ask'), 'ask');
    const hard = rules.filter(({ isHard }) => isHard).map(({ id }) => id);
    expect(hard.toSorted()).toEqual([...new Set(HARD.map(([id]) => id))].toSorted());
  });

  let loaded: LoadedSet;
  beforeAll(async () => {
    loaded = await loadedBaseline('auto', [EVERYTHING]);
  });

  it.each(HARD)('%s stands, whatever surrounds the question', (id, fields) => {
    fc.assert(
      fc.property(circumstances, (around) => {
        const request = requestOf({ ...around, ...fields });
        const decision = decide(loaded, request);
        expect(decision).toMatchObject({ kind: DecisionKind.DENY, errors: [] });
        expect(idsOf(decision)).toContain(id);
      }),
      { numRuns: 50 },
    );
  });

  it.each(HARD.filter(([, { action }]) => !ASKED_OF_THE_GATEWAY.has(action)))(
    '%s stands, even for a call that nobody need be asked about',
    (id, fields) => {
      fc.assert(
        fc.property(circumstances, (around) => {
          const request = requestOf({ ...around, ...fields });
          const answer = loaded.evaluate(inContext(request, { unattended: true }));
          expect(answer).toMatchObject({ decision: 'deny', errors: [] });
          expect(answer.ruleIds).toContain(id);
        }),
        { numRuns: 30 },
      );
    },
  );

  it.each(HARD)('%s stands, whatever is put into the context', (_, fields) => {
    const request = requestOf(fields);
    // What the rule itself speaks of stays: this is about everything else.
    const spoken = new Set(['reads', 'writes', 'hosts', 'process', 'permission']);
    const keys = [...Object.keys(request.context), 'approval', 'more'];
    const others = fc.constantFrom(...keys.filter((key) => !spoken.has(key)));
    fc.assert(
      fc.property(fc.dictionary(others, garbage()), (changed) => {
        const decision = decide(loaded, inContext(request, changed));
        expect(decision.kind).toBe(DecisionKind.DENY);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the rules', () => {
  let loaded: LoadedSet;
  let engine: Engine;
  beforeAll(async () => {
    loaded = await loadedBaseline('auto');
    engine = createEngine();
  });

  it('are the same set in whatever order their files come', () => {
    const files = [...baselineFiles('auto'), EVERYTHING];
    const expected = compiled(files, 'auto');
    const permuted = fc.shuffledSubarray(files, { minLength: files.length });
    fc.assert(
      fc.property(permuted, (order) => {
        expect(compiled(order, 'auto')).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });

  it('answer the same in whatever order Cedar gets them', async () => {
    const permuted = fc.shuffledSubarray([...loaded.set.rules], {
      minLength: loaded.set.rules.length,
    });
    await fc.assert(
      fc.asyncProperty(permuted, fc.array(questions, { maxLength: 10 }), async (rules, asked) => {
        const other = await engine.load({ ...loaded.set, rules }, 'scratch');
        for (const request of asked) {
          const before = decide(loaded, request);
          const after = decide(other, request);
          expect(after.kind).toBe(before.kind);
          expect(idsOf(after).toSorted()).toEqual(idsOf(before).toSorted());
        }
      }),
      { numRuns: 20 },
    );
  });

  it('never allow more with a forbid more', async () => {
    const reached = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(forbids, asked, async (text, requests) => {
        const file: PolicyFile = { layer: 'operator', name: 'more.cedar', text };
        const rules = [...loaded.set.rules, ...compiled([file], 'auto').rules];
        const narrower = await engine.load({ ...loaded.set, rules }, 'scratch');
        expectNoMore({ narrower, wider: loaded, reached }, requests);
      }),
      // Seldom as it is, it is not left to chance.
      { numRuns: 30, examples: [[gateFor('principal', ''), [requestOf({ tool: 'fs.read' })]]] },
    );
    expectGatesReached(reached);
    // What was allowed without a question, and now asks.
    expect(sumOf(reached, /^allow to ask/)).toBeGreaterThan(0);
  });

  it('never allow more with a permit less', async () => {
    const reached = new Map<string, number>();
    const permits = loaded.set.rules.filter(({ effect }) => effect === 'permit');
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(permits, { minLength: 1, maxLength: 12 }),
        asked,
        async (gone, requests) => {
          const rules = loaded.set.rules.filter((rule) => !gone.includes(rule));
          const narrower = await engine.load({ ...loaded.set, rules }, 'scratch');
          expectNoMore({ narrower, wider: loaded, reached }, requests);
        },
      ),
      { numRuns: 30 },
    );
    expectGatesReached(reached);
    expect(sumOf(reached, /^(?:allow|ask) to deny/)).toBeGreaterThan(0);
  });

  it('never throw for a context of garbage, nor allow what they could not evaluate', () => {
    const call = requestOf({ tool: 'fs.read' });
    const contexts = fc.oneof(
      fc.dictionary(fc.string(), garbage()),
      fc
        .dictionary(fc.constantFrom(...Object.keys(call.context), 'process', 'http'), garbage(), {
          minKeys: 1,
        })
        .map((changed) => ({ ...call.context, ...changed })),
    );
    fc.assert(
      fc.property(contexts, (context) => {
        const decision = decide(loaded, inContext({ ...call, context: {} }, context));
        // Some of it is right by chance: another device, say. Then the rules have answered.
        const isDenied = decision.kind === DecisionKind.DENY;
        expect(isDenied || decision.errors.length === 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

/** Anything, and as often what gates are about. */
const asked = fc
  .tuple(fc.array(questions, { maxLength: 8 }), fc.array(askings, { minLength: 8, maxLength: 12 }))
  .map((lists) => lists.flat());

interface Compared {
  readonly narrower: LoadedSet;
  readonly wider: LoadedSet;
  /** How often each pair of answers came, `allow to ask` and so on. */
  readonly reached: Map<string, number>;
}

function expectNoMore(
  { narrower, wider, reached }: Compared,
  requests: readonly PolicyRequest[],
): void {
  for (const request of requests) {
    const [before, after] = [decide(wider, request), decide(narrower, request)];
    expect(openness(after)).toBeLessThanOrEqual(openness(before));
    const answered = request.context['approval'] === undefined ? 'unanswered' : 'answered';
    const pair = `${wordOf(before)} to ${wordOf(after)}, ${answered}`;
    reached.set(pair, (reached.get(pair) ?? 0) + 1);
  }
}

/** Otherwise the two above would only say that what is denied stays denied. */
function expectGatesReached(reached: ReadonlyMap<string, number>): void {
  expect(sumOf(reached, /^ask to .*, unanswered$/)).toBeGreaterThan(20);
  expect(sumOf(reached, /^ask to ask, unanswered$/)).toBeGreaterThan(5);
  expect(sumOf(reached, /^allow to .*, answered$/)).toBeGreaterThan(20);
  expect(sumOf(reached, /^allow to allow, answered$/)).toBeGreaterThan(5);
}

function sumOf(reached: ReadonlyMap<string, number>, pairs: RegExp): number {
  return [...reached]
    .filter(([pair]) => pairs.test(pair))
    .reduce((sum, [, count]) => sum + count, 0);
}

const WHO = ['principal', 'principal is User', 'principal in Role::"admin"'];
const WHAT = ['action', 'action == Action::"tool.execute"', 'action in Action::"act"'];
const WHEN = [
  '',
  'when { context.channel == Channel::"cli" }',
  'when { context.channel == Channel::"api" || context.device == "x" }',
  'unless { context.time.hour < 9 }',
];
const APPROVED = 'unless { context has approval && context.approval.count >= 2 }';

const NAMED = '@id("more")\n@says("more is forbidden")\n';

/** Forbids, plain ones and gates; the latter ask for two people. */
const forbids = fc
  .tuple(fc.constantFrom(...WHO), fc.constantFrom(...WHAT), fc.constantFrom(...WHEN), fc.boolean())
  .map(([who, what, when, isGate]) => {
    return isGate ? gateFor(who, when) : `${NAMED}forbid (${who}, ${what}, resource) ${when};\n`;
  });

function gateFor(who: string, when: string): string {
  const scope = `(${who}, action == Action::"tool.execute", resource)`;
  return `${NAMED}@gate("approval")\n@quorum("2")\nforbid ${scope} ${when} ${APPROVED};\n`;
}

function garbage() {
  return fc.jsonValue({ maxDepth: 4 });
}

function inContext(request: PolicyRequest, more: unknown): PolicyRequest {
  const values: unknown = JSON.parse(JSON.stringify(more));
  if (!isJsonObject(values)) throw new Error('no context');
  return { ...request, context: { ...request.context, ...values } };
}

function idsOf({ rules }: PolicyDecision): readonly string[] {
  return rules.map(({ id }) => id);
}

const OPENNESS: readonly DecisionKind[] = [
  DecisionKind.DENY,
  DecisionKind.NEEDS_APPROVAL,
  DecisionKind.ALLOW,
];

function wordOf({ kind }: PolicyDecision): string {
  return ['deny', 'ask', 'allow'][OPENNESS.indexOf(kind)] ?? 'nothing';
}

function openness({ kind }: PolicyDecision): number {
  return OPENNESS.indexOf(kind);
}
