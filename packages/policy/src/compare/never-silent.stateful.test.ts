import { create } from '@bufbuild/protobuf';
import { CallFactsSchema, GainKind, PrincipalKind, Risk, Role } from '@palyra/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../engine/decide.ts';
import { createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import type { PolicyRequest } from '../model.ts';
import { requestForCall } from '../request/call-request.ts';
import { NO_OWN_GROUND } from '../request/own-ground.ts';
import { isProblem } from '../request/problem.ts';
import { isWider } from './answer.ts';
import { compareSets } from './compare-sets.ts';
import type { Gain } from './difference.ts';
import { suspectsBetween } from './suspects.ts';

/** The one with a product fails for long arguments. */
const CONDITIONS = [
  'context.tier == Tier::"C"',
  'context.channel == Channel::"api"',
  'context.hosts.allUnder.contains("a.example")',
  'context has process && context.process.name == "git"',
  'principal in Role::"admin"',
  '[Channel::"api", Channel::"cli"].contains(context.channel)',
  'context.hosts.allUnder.containsAny(["a.example", "b.example"])',
  'context.tier == Tier::"C" || context.channel == Channel::"api"',
  '!(context.tier == Tier::"C" && context.channel == Channel::"api")',
  'context.unattended',
  'context has approval',
  'context has approval && context.approval.count >= 1',
  'context has approval && context.approval.count >= 2',
  'context has approval && context.approval.admins >= 1',
  'context has approval && context.approval.strengths.contains(Strength::"passkey")',
  'context.argumentBytes * 9007199254740991 >= 0',
  'context has approval && context.approval.count < 2',
  'context.argumentBytes > context.bodyBytes',
];

const condition = fc
  .tuple(fc.constantFrom(...CONDITIONS), fc.constantFrom('', '!'))
  .map(([text, not]) => `${not}(${text})`);
const gate = fc
  .tuple(
    fc.constantFrom('', '@quorum("2")'),
    fc.constantFrom('', '@approvers("admin")', '@approvers("owner")'),
    fc.constantFrom('', '@strength("passkey")'),
  )
  .map((terms) => `@gate("approval") ${terms.join(' ')}`);
const PLAINLY = 'context.unattended || (context has approval && context.approval.count >= 1)';

interface Written {
  readonly effect: string;
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly whens: readonly string[];
  readonly unlesses: readonly string[];
  readonly gate: string;
}

const rule: fc.Arbitrary<Written> = fc.record({
  effect: fc.constantFrom('permit', 'permit', 'forbid'),
  principal: fc.constantFrom('principal', 'principal', 'principal in Role::"operator"'),
  action: fc.constantFrom(
    'action',
    'action == Action::"tool.execute"',
    'action == Action::"tool.unattended"',
  ),
  resource: fc.constantFrom('resource', 'resource == Tool::"fs.read"'),
  whens: fc.array(condition, { maxLength: 2 }),
  unlesses: fc.array(fc.oneof(condition, fc.constant(PLAINLY)), { maxLength: 2 }),
  gate: fc.oneof(fc.constant(''), gate),
});
type Step = (one: Written) => readonly Written[];

/** One step, more often than not towards less. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant((one: Written) => [one]),
  fc.constant((one: Written) => [one]),
  fc.constant((one: Written) => (one.effect === 'permit' ? [] : [one])),
  fc.constant(() => []),
  condition.map(
    (more) => (one: Written) =>
      one.effect === 'permit' ? [{ ...one, whens: [...one.whens, more] }] : [{ ...one, whens: [] }],
  ),
  fc.constant((one: Written) => [{ ...one, unlesses: one.unlesses.slice(1) }]),
  fc.constant((one: Written) => [{ ...one, gate: '' }]),
  gate.map((terms) => (one: Written) => [{ ...one, gate: terms }]),
);

interface Change {
  readonly rules: readonly Written[];
  readonly steps: readonly Step[];
  readonly added: readonly Written[];
  /** What is added is called as what is gone was. */
  readonly reusesIds?: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
  steps: fc.array(step, { minLength: 5, maxLength: 5 }),
  added: fc.array(
    rule.map((one) => ({ ...one, effect: 'forbid' })),
    { maxLength: 2 },
  ),
});

function textOf(rules: readonly (readonly [string, Written])[]): string {
  return rules
    .map(([id, { effect, principal, action, resource, whens, unlesses, gate: terms }]) => {
      const conditions = [
        ...whens.map((body) => `when { ${body} }`),
        ...unlesses.map((body) => `unless { ${body} }`),
      ];
      const annotation = effect === 'forbid' ? terms : '';
      return `@id("${id}") ${annotation} ${effect} (${principal}, ${action}, ${resource}) ${conditions.join(' ')};`;
    })
    .join('\n');
}

const request = fc
  .record({
    kind: fc.constantFrom(PrincipalKind.USER, PrincipalKind.AGENT),
    role: fc.constantFrom(Role.UNSPECIFIED, Role.OPERATOR, Role.OWNER),
    tool: fc.constantFrom('fs.read', 'other'),
    channel: fc.constantFrom('cli', 'api'),
    tier: fc.constantFrom('none', 'C'),
    host: fc.constantFrom('', 'a.example'),
    command: fc.constantFrom('', 'git'),
    argumentBytes: fc.constantFrom(0, 5_000),
    approval: fc.constantFrom(...approvals()),
  })
  .map(requestOf);

function approvals() {
  const approver = (name: string, role: Role) => ({
    principal: name,
    role,
    strength: 'device' as const,
  });
  return [
    undefined,
    undefined,
    { approvers: [approver('user:a', Role.OPERATOR)] },
    { approvers: [approver('user:a', Role.OWNER), approver('user:b', Role.OWNER)] },
  ];
}

interface Asked {
  readonly kind: PrincipalKind;
  readonly role: Role;
  readonly tool: string;
  readonly channel: string;
  readonly tier: string;
  readonly host: string;
  readonly command: string;
  readonly argumentBytes: number;
  readonly approval: ReturnType<typeof approvals>[number];
}

function requestOf(asked: Asked): PolicyRequest {
  const { kind, role, tool, channel, tier, host, command, argumentBytes, approval } = asked;
  const facts = create(CallFactsSchema, {
    argumentBytes,
    hosts: host === '' ? [] : [{ name: host, port: 443, range: 'name' }],
    ...(command === '' ? {} : { process: { executable: command, directory: '.' } }),
  });
  const principal = kind === PrincipalKind.USER ? 'user:a' : 'agent:a';
  const made = requestForCall(
    {
      proposal: { runId: 'r', sessionId: 's', tool, capabilities: [], risk: Risk.LOW, facts },
      source: 'built-in',
      standing: { principal, kind, member: 'user:a', name: 'a', role, scopes: [] },
      channel,
      deviceId: '',
      tier,
    },
    { now: new Date('2026-11-16T12:00:00Z'), own: NO_OWN_GROUND },
    approval,
  );
  if (isProblem(made)) throw new Error(made.problem);
  return made;
}

const engine = createEngine();

async function load({ rules, steps, added, reusesIds = false }: Change) {
  const old = rules.map((one, place) => [`rule-${place}`, one] as const);
  const kept = old.flatMap(([id, one], place) =>
    (steps[place] ?? (() => []))(one).map((next) => [id, next] as const),
  );
  const names = new Set(kept.map(([id]) => id));
  const free = reusesIds ? old.map(([id]) => id).filter((id) => !names.has(id)) : [];
  const now = [
    ...kept,
    ...added.map((one, place) => [free[place] ?? `added-${place}`, one] as const),
  ];
  return {
    before: await engine.load(await ruleSetOf(textOf(old)), 'scratch'),
    after: await engine.load(await ruleSetOf(textOf(now)), 'candidate'),
  };
}

function widened(
  sets: { readonly before: LoadedSet; readonly after: LoadedSet },
  asked: PolicyRequest,
) {
  return isWider({ before: decide(sets.before, asked), after: decide(sets.after, asked) });
}

/** Rules that speak of nothing but approvals: how they depend on one another is what is easily missed. */
const approvalRule: fc.Arbitrary<Written> = fc
  .record({
    effect: fc.constantFrom('permit', 'forbid', 'forbid'),
    whens: fc.oneof(
      fc.constant([]),
      fc.array(fc.constantFrom(...CONDITIONS.slice(9)), { maxLength: 1 }),
    ),
    unlesses: fc.oneof(
      fc.constant([PLAINLY]),
      fc.array(fc.constantFrom(...CONDITIONS.slice(10)), { maxLength: 1 }),
    ),
    gate: fc.oneof(fc.constant(''), gate, gate),
  })
  .map((one) => ({ ...one, principal: 'principal', action: 'action', resource: 'resource' }));

const EVERYTHING: Written = {
  effect: 'permit',
  principal: 'principal',
  action: 'action == Action::"tool.execute"',
  resource: 'resource',
  whens: [],
  unlesses: [],
  gate: '',
};

const approvalChange: fc.Arbitrary<Change> = fc.record({
  // Where nothing is allowed to begin with, hardly anything can go wrong.
  rules: fc
    .array(approvalRule, { minLength: 1, maxLength: 2 })
    .chain((rules) => fc.constantFrom(rules, [...rules, EVERYTHING], [...rules, EVERYTHING])),
  steps: fc
    .array(step, { minLength: 2, maxLength: 2 })
    .map((steps) => [...steps, (one: Written) => [one]]),
  added: fc.array(
    approvalRule.map((one) => ({ ...one, effect: 'forbid' })),
    { maxLength: 1 },
  ),
});

/** A gate goes that another one covers: others may have looked at the approval that it asked for. */
const goingGate: fc.Arbitrary<Change> = fc
  .record({
    whens: fc.constantFrom([], ['context.argumentBytes > context.bodyBytes']),
    lifted: fc.constantFrom(...CONDITIONS.slice(10, 15)),
    more: fc.constantFrom(...CONDITIONS.slice(10, 15)),
    looking: fc.constantFrom(...CONDITIONS.slice(10, 15), 'context.approval.count < 2'),
    terms: fc.tuple(gate, gate),
  })
  .map(({ whens, lifted, more, looking, terms: [kept, going] }) => {
    const forbid = { ...EVERYTHING, effect: 'forbid', whens };
    const looks = { ...forbid, whens: [...whens, `context has approval && ${looking}`] };
    const stays = { ...forbid, gate: kept, unlesses: [lifted] };
    const goes = { ...forbid, gate: going, unlesses: [lifted, more] };
    const keep: Step = (one) => [one];
    return {
      rules: [EVERYTHING, looks, stays, goes],
      steps: [keep, keep, keep, () => []],
      added: [],
    };
  });

/** A forbid goes, and a permit for something else has its name. */
const reusedId: fc.Arbitrary<Change> = fc
  .record({
    whens: fc.array(condition, { maxLength: 2 }),
    who: fc.constantFrom('principal', 'principal is Worker'),
  })
  .map(({ whens, who }) => ({
    rules: [EVERYTHING, { ...EVERYTHING, effect: 'forbid', resource: READING, whens }],
    steps: [(one: Written) => [one], () => []],
    added: [{ ...EVERYTHING, principal: who, action: 'action', resource: 'resource == Host::"h"' }],
    reusesIds: true,
  }));

const READING = 'resource == Tool::"fs.read"';

/** Whether a gain is about the tool of a request, or about anything that a rule may allow. */
function isAbout({ kind, what }: Gain, { resource }: PolicyRequest): boolean {
  if (kind === GainKind.POSSIBLE) return true;
  return what.includes(resource.id === 'other' ? 'any other tool' : resource.id);
}

const APPROVAL_REQUESTS = approvals().flatMap((approval) =>
  [0, 5_000].map((argumentBytes) =>
    requestOf({
      kind: PrincipalKind.USER,
      role: Role.OPERATOR,
      tool: 'fs.read',
      channel: 'cli',
      tier: 'none',
      host: '',
      command: '',
      argumentBytes,
      approval,
    }),
  ),
);

describe('a comparison that finds no gain', () => {
  it('is right where rules depend on the approvals of others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(approvalChange, goingGate), async (made) => {
        const sets = await load(made);
        if (suspectsBetween(sets.before.set, sets.after.set).length > 0) return;
        expect(APPROVAL_REQUESTS.filter((asked) => widened(sets, asked))).toEqual([]);
      }),
      { numRuns: 160 },
    );
  });

  it('is right: nothing is allowed that was not', async () => {
    let silent = 0;
    await fc.assert(
      fc.asyncProperty(
        change,
        fc.array(request, { minLength: 12, maxLength: 12 }),
        async (made, requests) => {
          const sets = await load(made);
          if (suspectsBetween(sets.before.set, sets.after.set).length > 0) return;
          silent += 1;
          expect(requests.filter((asked) => widened(sets, asked))).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
    expect(silent).toBeGreaterThan(0);
  });

  it('never stands where a request is allowed that was not', async () => {
    await fc.assert(
      fc.asyncProperty(
        change,
        fc.array(request, { minLength: 8, maxLength: 8 }),
        async (made, requests) => {
          const sets = await load(made);
          if (!requests.some((asked) => widened(sets, asked))) return;
          const { gains } = await compareSets(sets.before.set, sets.after.set, { tools: [] });
          expect(gains).not.toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('speaks of what a forbid kept, whatever its name stands for now', async () => {
    await fc.assert(
      fc.asyncProperty(
        reusedId,
        fc.array(request, { minLength: 8, maxLength: 8 }),
        async (made, requests) => {
          const sets = await load(made);
          const { gains } = await compareSets(sets.before.set, sets.after.set, { tools: [] });
          for (const asked of requests.filter((one) => widened(sets, one))) {
            expect(gains.filter((gain) => isAbout(gain, asked))).not.toEqual([]);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});
