import { DecisionKind, Role } from '@palyra/protocol';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RuleSet } from '../model.ts';
import { callOf, requestOf } from '../request/call.fixture.ts';
import { decide } from './decide.ts';
import { createEngine } from './engine.ts';
import { ruleSetOf } from './rule-set.fixture.ts';

const ENGINE = createEngine();

const FACTS = [
  'true',
  'context.reads.anyUnder.contains("src")',
  'context.writes.allUnder.contains("src")',
  'context.writes.anyUnder.contains("/")',
  'context.channel == Channel::"cli"',
  'principal in Role::"admin"',
];
/** Only forbids may look at these; a permit that did would turn a gate into what allows. */
const APPROVALS = [
  'context.unattended',
  'context has approval',
  'context has approval && context.approval.count >= 2',
  'context has approval && context.approval.owners >= 1',
  'context has approval && context.approval.count == 1',
];
/** Cannot be evaluated for a call without a process: an error denies, whichever rule it is in. */
const BROKEN = 'context.process.name == "git"';
const HEADS = [
  '(principal, action == Action::"tool.execute", resource)',
  '(principal, action == Action::"tool.unattended", resource)',
  '(principal, action in Action::"act", resource == Tool::"process.run")',
];
const TERMS = ['', '@quorum("2")', '@approvers("owner")', '@approvers("owner") @quorum("2")'];

const head = fc.constantFrom(...HEADS);
const fact = fc.constantFrom(...FACTS);
const approval = fc.constantFrom(...APPROVALS);
const permit = fc.tuple(head, fact).map(([scope, when]) => `permit ${scope} when { ${when} };`);
const forbid = fc
  .tuple(
    head,
    fc.oneof(fact, approval, fc.constant(BROKEN)),
    fc.oneof(fc.constant('false'), approval),
  )
  .map(([scope, when, unless]) => `forbid ${scope} when { ${when} } unless { ${unless} };`);
const gate = fc
  .tuple(fc.constantFrom(...TERMS), head, fact, approval)
  .map(
    ([terms, scope, when, unless]) =>
      `@gate("approval") ${terms} forbid ${scope} when { ${when} } unless { ${unless} };`,
  );
const rules = fc.array(fc.oneof(permit, permit, forbid, gate, gate), { maxLength: 6 });

const GIVEN = {
  approvers: [{ principal: 'user:bo', role: Role.OWNER, strength: 'device' as const }],
};
const CALLS = [
  callOf(),
  callOf({ reads: ['src/a'], writes: ['src/b'] }),
  callOf({ writes: ['src/b', '/etc/x'] }),
  { ...callOf(), channel: 'api' },
].flatMap((call) => [requestOf(call), requestOf(call, GIVEN)]);

const RANK = new Map<DecisionKind, number>([
  [DecisionKind.DENY, 0],
  [DecisionKind.NEEDS_APPROVAL, 1],
  [DecisionKind.ALLOW, 2],
]);

async function ranksBy(set: RuleSet): Promise<readonly number[]> {
  const loaded = await ENGINE.load(set, 'scratch');
  return CALLS.map((request) => RANK.get(decide(loaded, request).kind) ?? Number.NaN);
}

async function expectNoMore(narrower: readonly string[], wider: readonly string[]): Promise<void> {
  const [less, more] = [await ranksBy(await setOf(narrower)), await ranksBy(await setOf(wider))];
  for (const [place, rank] of less.entries()) expect(rank).toBeLessThanOrEqual(more[place] ?? -1);
}

const setOf = (texts: readonly string[]) => ruleSetOf(texts.join('\n'));

it('adding a forbid never allows more', async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.oneof(forbid, gate), fc.nat(5), async (some, more, place) => {
      await expectNoMore(some.toSpliced(place, 0, more), some);
    }),
    { numRuns: 25 },
  );
});

it('removing a permit never allows more', async () => {
  await fc.assert(
    fc.asyncProperty(rules, permit, fc.nat(5), async (some, more, place) => {
      await expectNoMore(some, some.toSpliced(place, 0, more));
    }),
    { numRuns: 25 },
  );
});

it('the order of rules changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(rules, async (some) => {
      expect(await ranksBy(await setOf(some.toReversed()))).toEqual(
        await ranksBy(await setOf(some)),
      );
    }),
    { numRuns: 15 },
  );
});
