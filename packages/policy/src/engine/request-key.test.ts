import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import type { Json } from '@palyra/kernel';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { createEngine } from './engine.ts';
import { ruleSetOf } from './rule-set.fixture.ts';
import type { PolicyRequest, Rule } from '../model.ts';
import { askedFor } from '../compare/recorded.fixture.ts';
import { requestKeyFor } from './request-key.ts';

const READ = askedFor({ tool: 'fs.read' });
const HEAD = 'permit (principal, action == Action::"tool.execute", resource)';

async function rulesOf(condition: string): Promise<readonly Rule[]> {
  return (await ruleSetOf(`${HEAD} when { ${condition} };`)).rules;
}

function having(context: Readonly<Record<string, Json>>): PolicyRequest {
  return { ...READ, context: { ...READ.context, ...context } };
}

/** Whether rules with this condition are taken to tell two values of an attribute apart. */
async function tellsApart(
  condition: string,
  [name, one, other]: readonly [string, Json, Json],
): Promise<boolean> {
  const keyOf = requestKeyFor(await rulesOf(condition));
  return keyOf(having({ [name]: one })) !== keyOf(having({ [name]: other }));
}

/** As a version of Cedar might write it that we have not seen. */
function withBody(rule: Rule | undefined, body: unknown): readonly Rule[] {
  if (rule === undefined) throw new Error('no rule');
  const conditions: PolicyJson['conditions'] = JSON.parse(JSON.stringify([{ kind: 'when', body }]));
  return [{ ...rule, json: { ...rule.json, conditions } }];
}

describe('the key of a request', () => {
  it('is the same for what no rule reads', async () => {
    expect(await tellsApart('context.agent == "a"', ['run', 'run-1', 'run-2'])).toBe(false);
    expect(await tellsApart('context.agent == "a"', ['bodyBytes', 1, 2])).toBe(false);
  });

  it.each([
    'context.run == "run-1"',
    'context["run"] == "run-1"',
    'true && !(false || context.run like "run-*")',
    'if context.run == "run-1" then true else false',
    '["run-1"].contains(context.run)',
  ])('is another for what a rule reads: %s', async (condition) => {
    expect(await tellsApart(condition, ['run', 'run-1', 'run-2'])).toBe(true);
  });

  it.each(['context has process', 'context has process.name'])(
    'is another for what a rule asks for: %s',
    async (condition) => {
      const keyOf = requestKeyFor(await rulesOf(condition));
      expect(keyOf(having({ process: { name: 'a' } }))).not.toBe(
        keyOf(having({ process: { name: 'b' } })),
      );
    },
  );

  it('is another for anything, once a rule takes the context as a whole', async () => {
    expect(await tellsApart('context == context', ['run', 'run-1', 'run-2'])).toBe(true);
    expect(await tellsApart('{ a: context }.a.agent == "a"', ['run', 'a', 'b'])).toBe(true);
    const record = '{ left: context, attr: "x" }.left.agent == "a"';
    expect(await tellsApart(record, ['run', 'a', 'b'])).toBe(true);
  });

  it('is another for anything, once the context stands in a form that nobody here knows', async () => {
    const [rule] = await rulesOf('true');
    const keyOf = requestKeyFor(withBody(rule, { every: { of: { Var: 'context' }, is: [] } }));
    expect(keyOf(having({ run: 'a' }))).not.toBe(keyOf(having({ run: 'b' })));
  });

  it('is another for anything, in whatever order a record with it is written', async () => {
    const [rule] = await rulesOf('true');
    const record = { left: { Var: 'context' }, attr: { Value: 'x' } };
    const keyOf = requestKeyFor(
      withBody(rule, { '.': { left: { Record: record }, attr: 'left' } }),
    );
    expect(keyOf(having({ run: 'a' }))).not.toBe(keyOf(having({ run: 'b' })));
  });

  it('is another for what is only named, in whatever form', async () => {
    const [rule] = await rulesOf('true');
    const keyOf = requestKeyFor(withBody(rule, { lookup: { name: 'run' } }));
    expect(keyOf(having({ run: 'a' }))).not.toBe(keyOf(having({ run: 'b' })));
    expect(keyOf(having({ session: 'a' }))).toBe(keyOf(having({ session: 'b' })));
  });

  it('is another for an approval, and for what nobody need be asked about, whoever reads them', async () => {
    expect(await tellsApart('true', ['unattended', true, false])).toBe(true);
    expect(await tellsApart('true', ['approval', { count: 1 }, { count: 2 }])).toBe(true);
  });

  it.each<readonly [string, Json, Json]>([
    ['an attribute that is not there', { run: 'a' }, {}],
    ['a number for a text', { run: 'a' }, { run: 1 }],
    ['a number that Cedar would round', { bodyBytes: 1 }, { bodyBytes: 2 ** 53 }],
    ['half a number', { bodyBytes: 1 }, { bodyBytes: 1.5 }],
    ['half a character', { run: 'a' }, { run: '\uD800' }],
    ['a text that counts towards the bound', { run: 'a' }, { run: 'a'.repeat(129) }],
    ['another word of the schema', { channel: channel('cli') }, { channel: channel('cly') }],
    ['a list for a text', { run: 'text' }, { run: ['text'] }],
    ['a list for a record', { secrets: ['a', 'text'] }, { secrets: { a: 'b' } }],
    ['more in a list', { secrets: ['a'] }, { secrets: ['a', 'b'] }],
    ['another field of a record', { time: { hour: 1 } }, { time: { minute: 1 } }],
    ['nothing for something', { run: null }, { run: 'a' }],
    ['another value of an extension', { run: address('1.2.3.4') }, { run: address('1.2.3') }],
  ])('is another where only one may fit the schema: %s', async (_, one, other) => {
    const keyOf = requestKeyFor(await rulesOf('true'));
    const { run: _run, ...context } = READ.context;
    const asked = (more: Json) => ({ ...READ, context: { ...context, ...Object(more) } });
    expect(keyOf(asked(one))).not.toBe(keyOf(asked(other)));
  });

  it('is another for another principal, action, resource or entity', async () => {
    const keyOf = requestKeyFor(await rulesOf('true'));
    const others: readonly PolicyRequest[] = [
      { ...READ, principal: { type: 'User', id: 'other' } },
      { ...READ, action: 'tool.unattended' },
      { ...READ, resource: { type: 'Tool', id: 'other' } },
      { ...READ, entities: READ.entities.slice(1) },
    ];
    const keys = [READ, ...others].map(keyOf);
    expect(new Set(keys).size).toBe(5);
  });
});

it('the schema has no type of which a text may be invalid by what it says', async () => {
  const { schema } = await ruleSetOf('');
  expect(JSON.stringify(schema)).not.toMatch(/ipaddr|decimal|datetime|duration|Extension/);
});

const CONDITIONS = [
  'true',
  'context.agent == "palyra"',
  'context.time.hour < 12',
  'context has process && context.process.name == "git"',
  'context.hosts.all.isEmpty()',
  'context == context',
  'context.unattended',
];

it('requests with one key are decided alike', async () => {
  const engine = createEngine();
  let alike = 0;
  const values = fc.oneof(
    fc.constantFrom<Json>('palyra', 'git', 1, 13, -1, 1.5, '\uD800', true, [], {}, 'x'.repeat(200)),
    fc.constantFrom<Json>(
      { hour: 1 },
      { type: 'Channel', id: 'cli' },
      { type: 'Channel', id: 'x' },
    ),
    fc.constantFrom<Json>({ date: '2026-11-17', weekday: 2, hour: 20, minute: 1 }),
  );
  const contexts = fc.dictionary(fc.constantFrom(...Object.keys(READ.context), 'process'), values, {
    maxKeys: 2,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CONDITIONS),
      fc.array(fc.tuple(contexts, contexts), { minLength: 20, maxLength: 20 }),
      async (condition, pairs) => {
        const loaded = await engine.load(
          await ruleSetOf(`${HEAD} when { ${condition} };`),
          'candidate',
        );
        const keyOf = requestKeyFor(loaded.set.rules);
        for (const [one, other] of pairs.map((pair) => pair.map(having))) {
          if (one === undefined || other === undefined || keyOf(one) !== keyOf(other)) continue;
          alike += 1;
          expect(decide(loaded, one).kind).toBe(decide(loaded, other).kind);
        }
      },
    ),
    { numRuns: 40 },
  );
  expect(alike).toBeGreaterThan(20);
});

function channel(id: string): Json {
  return { type: 'Channel', id };
}

function address(text: string): Json {
  return { __extn: { fn: 'ip', arg: text } };
}
