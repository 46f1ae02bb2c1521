import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCedar } from '../engine/cedar.ts';
import { createEngine } from '../engine/engine.ts';
import type { Evaluation } from '../engine/loaded-set.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { changedSet } from './changed-set.ts';
import { call, git } from './explain.fixture.ts';
import { openWorkbench } from './workbench.ts';

const cedar = await loadCedar();
const engine = createEngine();

/** Some apply to every call, some to one with a process, some to none, and some fail for most. */
const condition = fc.constantFrom(
  '',
  'when { context has process }',
  'when { context.agent == "nobody" }',
  'when { context.process.first == "push" }',
);
const action = fc.constantFrom(
  'action',
  'action == Action::"tool.execute"',
  'action == Action::"vault.get"',
);
const body = fc
  .tuple(action, condition)
  .map(([which, when]) => `(principal, ${which}, resource) ${when};`);

const sets = fc.record({
  kept: fc.array(body, { maxLength: 3 }),
  forbids: fc.array(fc.tuple(body, body), { maxLength: 2 }),
  added: fc.array(body, { maxLength: 2 }),
});

describe('a set with a change', () => {
  it('answers as the same rules loaded as one set do', async () => {
    const requests = [call(), call({ context: git('push') }), call({ context: git('pull') })];
    await fc.assert(
      fc.asyncProperty(sets, async (texts) => {
        const { loaded, change, whole } = await loadBoth(texts);
        for (const request of requests) {
          const { schema } = loaded.set;
          const workbench = openWorkbench(cedar, { schema, action: request.action });
          const answer = changedSet(loaded, change, workbench).evaluate(request);
          const before = loaded.evaluate(request);
          // A rule that failed before still counts as failing, which only ever denies.
          if (before.errors.length > 0) expect(answer.decision).toBe('deny');
          else expect(gist(answer)).toEqual(gist(whole.evaluate(request)));
        }
      }),
      { numRuns: 15 },
    );
  });
});

type Texts = typeof sets extends fc.Arbitrary<infer Value> ? Value : never;

async function loadBoth({ kept, forbids, added }: Texts) {
  const texts = {
    kept: kept.map((text, place) => `@id("p${place}") permit ${text}`),
    old: forbids.map(([text], place) => `@id("f${place}") forbid ${text}`),
    amended: forbids.map(([, text], place) => `@id("f${place}") forbid ${text}`),
    added: added.map((text, place) => `@id("a${place}") permit ${text}`),
  };
  const { rules, ...set } = await ruleSetOf(Object.values(texts).flat().join('\n'));
  const [permits, old, amended, more] = takeInOrder(rules, [
    kept.length,
    forbids.length,
    forbids.length,
    added.length,
  ]);
  return {
    change: { permits, amended, added: more },
    loaded: await engine.load({ ...set, rules: [...permits, ...old] }, 'scratch'),
    whole: await engine.load({ ...set, rules: [...permits, ...amended, ...more] }, 'candidate'),
  };
}

function takeInOrder<Item>(
  items: readonly Item[],
  [a, b, c, d]: readonly [number, number, number, number],
) {
  expect(items).toHaveLength(a + b + c + d);
  return [
    items.slice(0, a),
    items.slice(a, a + b),
    items.slice(a + b, a + b + c),
    items.slice(a + b + c),
  ] as const;
}

function gist({ decision, ruleIds, errors }: Evaluation) {
  return errors.length > 0 ? 'failed' : { decision, ruleIds: ruleIds.toSorted() };
}
