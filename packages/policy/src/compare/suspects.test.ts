import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { suspectsBetween } from './suspects.ts';

async function suspects(old: string, now: string): Promise<readonly string[]> {
  const found = suspectsBetween(await ruleSetOf(old), await ruleSetOf(now));
  return found.map(({ id }) => id);
}

const PERMIT = '@id("permit") permit (principal, action, resource)';
const FORBID = '@id("forbid") forbid (principal, action, resource)';
const SHORT = 'when { context.argumentBytes < 10 }';
const OVERFLOWS = 'when { context.argumentBytes * 7 < 10 }';
const LIFTED = (approval: string) =>
  `unless { context.unattended || (context has approval && ${approval}) }`;
const ONE = LIFTED('context.approval.count >= 1');
const GATE = (terms: string, unless = ONE) =>
  `@id("gate") @gate("approval") ${terms} forbid (principal, action, resource) ${unless};`;

describe('a rule through which more could be allowed', () => {
  it('is a permit that was added, or that lost a condition', async () => {
    expect(await suspects('', `${PERMIT};`)).toEqual(['permit']);
    expect(await suspects(`${PERMIT} ${SHORT};`, `${PERMIT};`)).toEqual(['permit']);
  });

  it('is a forbid that was removed, or that got a condition', async () => {
    expect(await suspects(`${FORBID};`, '')).toEqual(['forbid']);
    expect(await suspects(`${FORBID};`, `${FORBID} ${SHORT};`)).toEqual(['forbid']);
  });

  it('is none where permits only got conditions and forbids only lost some', async () => {
    expect(await suspects(`${PERMIT};`, `${PERMIT} ${SHORT};`)).toEqual([]);
    expect(await suspects(`${FORBID} ${SHORT};`, `${FORBID};`)).toEqual([]);
  });

  it('is one that asks in another order, where one of its conditions may fail', async () => {
    const never = 'context.session == "never"';
    const fails = '(context.argumentBytes * 7 < 10)';
    const first = `${FORBID} when { ${fails} && ${never} };`;
    const last = `${FORBID} when { ${never} && ${fails} };`;
    expect(await suspects(first, last)).toEqual(['forbid']);
    expect(await suspects(first, first)).toEqual([]);
  });

  it('is none where the same conditions are written in another way', async () => {
    const one = `${PERMIT} when { context.run == "a" && context.session == "b" };`;
    const other = `${PERMIT} when { context.session == "b" } unless { !(context.run == "a") };`;
    expect(await suspects(one, other)).toEqual([]);
  });

  it('is one whose scope is another', async () => {
    const narrower = '@id("permit") permit (principal is User, action, resource);';
    expect(await suspects(`${PERMIT};`, narrower)).toEqual(['permit']);
  });

  it('is one that could fail and is gone, permit or not, because what fails denies', async () => {
    expect(await suspects(`${PERMIT} ${OVERFLOWS};`, '')).toEqual(['permit']);
    expect(await suspects(`${FORBID} ${OVERFLOWS};`, `${FORBID};`)).toEqual(['forbid']);
  });

  it('is a permit that is covered only by one that could fail', async () => {
    const narrower = `${PERMIT} ${OVERFLOWS} ${SHORT};`;
    expect(await suspects(`${PERMIT} ${OVERFLOWS};`, narrower)).toEqual(['permit', 'permit']);
  });

  it('is a forbid that became a gate, and none the other way round', async () => {
    const plain = GATE('').replace('@gate("approval")', '');
    // As it was and as it is.
    expect(await suspects(plain, GATE(''))).toEqual(['gate', 'gate']);
    expect(await suspects(GATE(''), plain)).toEqual([]);
  });

  it.each(['@quorum("2")', '@approvers("admin")', '@strength("passkey")'])(
    'is a gate that no longer asks for %s, and none that begins to',
    async (terms) => {
      expect(await suspects(GATE(terms), GATE(''))).toEqual(['gate']);
      expect(await suspects(GATE(''), GATE(terms))).toEqual([]);
    },
  );

  it('is none where a gate only waits longer or looks graver', async () => {
    expect(await suspects(GATE(''), GATE('@wait("2h") @severity("high")'))).toEqual([]);
  });
});

describe('a gate that was added', () => {
  it('can allow nothing where gates are content with what they ask for', async () => {
    expect(await suspects(`${PERMIT};`, `${PERMIT};${GATE('')}`)).toEqual([]);
    const admins = GATE('@approvers("admin") @quorum("2")', LIFTED('context.approval.admins >= 2'));
    expect(await suspects(`${PERMIT};`, `${PERMIT};${admins}`)).toEqual([]);
    const keys = LIFTED('context.approval.strengths.contains(Strength::"passkey")');
    expect(await suspects(`${PERMIT};`, `${PERMIT};${GATE('@strength("passkey")', keys)}`)).toEqual(
      [],
    );
  });

  it('can allow something where a permit waits for an approval', async () => {
    const waits = `${PERMIT} when { context has approval };`;
    expect(await suspects(waits, `${waits}${GATE('')}`)).toEqual(['gate']);
  });

  it('can allow something where another gate asks for less than it wants', async () => {
    const wants = GATE('', LIFTED('context.approval.count >= 2')).replace('"gate"', '"wants"');
    expect(await suspects(wants, `${wants}${GATE('@quorum("2")')}`)).toEqual(['gate']);
  });

  it.each([
    ['admins', LIFTED('context.approval.admins >= 1')],
    ['owners', LIFTED('context.approval.owners >= 1')],
    ['a passkey', LIFTED('context.approval.strengths.contains(Strength::"passkey")')],
    ['somebody by name', LIFTED('context.approval.approvers.contains("user:a")')],
    ['no approval', 'unless { !(context has approval) }'],
  ])('can allow something where it wants %s and does not say so', async (_, unless) => {
    expect(await suspects(`${PERMIT};`, `${PERMIT};${GATE('', unless)}`)).toEqual(['gate']);
  });
});
