import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PolicyRequest } from '../model.ts';
import { callOf, requestOf } from '../request/call.fixture.ts';
import { createEngine } from './engine.ts';
import type { LoadedSet } from './loaded-set.ts';
import { ruleSetOf } from './rule-set.fixture.ts';

const PERMIT = '@id("everything") permit (principal, action, resource);';

const ENGINE = createEngine();

let allowing: LoadedSet;

async function loadOf(text: string): Promise<LoadedSet> {
  return ENGINE.load(await ruleSetOf(text), 'scratch');
}

beforeAll(async () => {
  allowing = await ENGINE.load(await ruleSetOf(PERMIT), 'active');
});

describe('an evaluation', () => {
  it('names the rules that decided by their own ids', () => {
    expect(allowing.evaluate(requestOf())).toEqual({
      decision: 'allow',
      ruleIds: ['everything'],
      errors: [],
    });
  });

  it('without a rule that applies is a denial without a reason', async () => {
    const loaded = await loadOf('@id("none") permit (principal is Worker, action, resource);');
    expect(loaded.evaluate(requestOf())).toEqual({ decision: 'deny', ruleIds: [], errors: [] });
  });

  it('knows roles, groups of actions, enumerations and what the arguments mean', async () => {
    const loaded = await loadOf(`
      @id("all") permit (
        principal in Role::"operator", action in Action::"act", resource == Tool::"process.run"
      ) when {
        resource.capabilities.contains(Capability::"process_exec") && resource.risk == Risk::"high" &&
        context.channel == Channel::"cli" && context.tier == Tier::"none" &&
        context.writes.allUnder.contains("src") && context.hosts.anyUnder.contains("example.com") &&
        context.hosts.ranges.contains(Range::"name") && context has process &&
        context.process.commandLine like "git *" && context.time.weekday == 1
      };`);
    const call = callOf();
    const known = requestOf({
      ...call,
      proposal: {
        ...call.proposal,
        facts: {
          $typeName: 'palyra.v1.CallFacts',
          reads: [],
          writes: ['src/a'],
          hosts: [
            { $typeName: 'palyra.v1.HostFacts', name: 'a.example.com', port: 1, range: 'name' },
          ],
          secrets: [],
          argumentBytes: 1,
          argumentsSha256: '',
          readsBelow: false,
          bodyBytes: 1,
          process: {
            $typeName: 'palyra.v1.ProcessFacts',
            executable: 'git',
            arguments: ['status'],
            directory: '.',
            environment: [],
            tier: '',
          },
        },
      },
    });
    expect(loaded.evaluate(known)).toEqual({ decision: 'allow', ruleIds: ['all'], errors: [] });
  });
});

describe('a rule whose condition cannot be evaluated', () => {
  // Loading checks nothing here: a set that was validated has no such rule. This is the net below.
  const MISSING = 'when { context.process.name == "git" }';

  it('denies when it is a forbid that Cedar leaves out', async () => {
    const loaded = await loadOf(
      `${PERMIT} @id("no-git") forbid (principal, action, resource) ${MISSING};`,
    );
    const evaluation = loaded.evaluate(requestOf());
    expect(evaluation).toMatchObject({ decision: 'deny', ruleIds: ['no-git'] });
    expect(evaluation.errors).toHaveLength(1);
    expect(evaluation.errors[0]).toContain('no-git: ');
  });

  it('denies when it is a permit beside another that applies', async () => {
    const loaded = await loadOf(
      `${PERMIT} @id("git") permit (principal, action, resource) ${MISSING};`,
    );
    expect(loaded.evaluate(requestOf())).toMatchObject({ decision: 'deny', ruleIds: ['git'] });
  });

  it('stands beside the forbid that decided', async () => {
    const loaded = await loadOf(`
      @id("never") forbid (principal, action, resource);
      @id("git") permit (principal, action, resource) ${MISSING};`);
    const evaluation = loaded.evaluate(requestOf());
    expect(evaluation).toMatchObject({ decision: 'deny', ruleIds: ['never', 'git'] });
  });
});

describe('a request that the schema does not know', () => {
  const request = requestOf();
  it.each<[string, Partial<PolicyRequest>]>([
    ['an unknown action', { action: 'tool.dream' }],
    ['an action that is only a group', { action: 'act' }],
    ['an unknown type of principal', { principal: { type: 'Alien', id: 'a' } }],
    ['an unknown type of resource', { resource: { type: 'Alien', id: 'a' } }],
    ['a resource of another action', { resource: { type: 'Gateway', id: 'gateway' } }],
    ['an empty context', { context: {} }],
    ['one thing more', { context: { ...request.context, more: 1 } }],
    ['a text for a number', { context: { ...request.context, bodyBytes: '1' } }],
    [
      'an unknown channel',
      { context: { ...request.context, channel: { type: 'Channel', id: 'fax' } } },
    ],
    [
      'an unknown role',
      {
        entities: [
          { uid: request.principal, attrs: { name: 'a' }, parents: [{ type: 'Role', id: 'king' }] },
        ],
      },
    ],
    [
      'an attribute that no user has',
      {
        entities: [{ uid: request.principal, attrs: { name: 'a', age: 1 }, parents: [] }],
      },
    ],
    [
      'two accounts of one entity',
      {
        entities: [
          ...request.entities,
          {
            uid: request.principal,
            attrs: { name: 'a' },
            parents: [{ type: 'Role', id: 'owner' }],
          },
        ],
      },
    ],
    ['an integer that Cedar would round', { context: { ...request.context, bodyBytes: 2 ** 53 } }],
  ])('is denied: %s', (_name, part) => {
    const evaluation = allowing.evaluate({ ...request, ...part });
    expect(evaluation.decision).toBe('deny');
    expect(evaluation.ruleIds).toEqual([]);
    expect(evaluation.errors).not.toEqual([]);
  });

  it('is told of in one line of bounded length', () => {
    const [error = ''] = allowing.evaluate({ ...request, action: `a\n${'b'.repeat(5000)}` }).errors;
    expect(error.length).toBeLessThan(600);
    expect(error).not.toContain('\n');
  });
});

describe('garbage', () => {
  const garbage = fc.oneof(
    fc.jsonValue(),
    fc.anything({ withBigInt: true, withSparseArray: true }),
  );

  it('as a context is denied, and never thrown', () => {
    fc.assert(
      fc.property(garbage, (context) => {
        const request = Object.assign({ ...requestOf() }, { context });
        expect(allowing.evaluate(request).decision).toBe('deny');
      }),
      { numRuns: 300 },
    );
  });

  it('in the place of one part of a request is denied, and never thrown', () => {
    const parts = ['principal', 'action', 'resource', 'entities'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...parts), garbage, (part, value) => {
        const request = Object.assign({ ...requestOf() }, { [part]: value });
        // An empty list of entities is a list: the rule that asks for nothing still holds.
        const isWhole = part === 'entities' && Array.isArray(value) && value.length === 0;
        expect(allowing.evaluate(request).decision).toBe(isWhole ? 'allow' : 'deny');
      }),
      { numRuns: 300 },
    );
  });

  it('in the place of one fact is denied unless it is of the same type', () => {
    const request = requestOf();
    const facts = fc.constantFrom(...Object.keys(request.context));
    fc.assert(
      fc.property(facts, fc.oneof(fc.object(), fc.double(), fc.constant(null)), (fact, value) => {
        const context = Object.assign({ ...request.context }, { [fact]: value });
        const { decision } = allowing.evaluate({ ...request, context });
        const isFitting = Number.isSafeInteger(value) && fact.endsWith('Bytes');
        expect(decision).toBe(isFitting ? 'allow' : 'deny');
      }),
      { numRuns: 300 },
    );
  });
});
