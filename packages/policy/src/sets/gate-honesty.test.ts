import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { honestyComplaints } from './gate-honesty.ts';

async function complaints(terms: string, unless: string): Promise<readonly string[]> {
  const text = `@id("gate") @gate("approval") ${terms} forbid (principal, action == Action::"tool.execute", resource) ${unless};`;
  const [rule] = (await ruleSetOf(text)).rules;
  if (rule?.gate === undefined) throw new Error('no gate');
  return honestyComplaints(rule.json, rule.gate).map(({ help }) => help);
}

const approved = (condition: string) =>
  `unless { context.unattended || (context has approval && ${condition}) }`;
const PASSKEY = 'context.approval.strengths.contains(Strength::"passkey")';

describe('a gate that is lifted by less than its annotations ask for', () => {
  it.each([
    ['', 'context.approval.count >= 0'],
    ['@quorum("3")', 'context.approval.count >= 0'],
    ['@quorum("3")', 'context.approval.count >= 2'],
    ['@quorum("3")', '2 <= context.approval.count'],
    ['@quorum("2")', 'context.approval.count > 0'],
    ['@quorum("3")', '!(context.approval.count < 2)'],
    ['@quorum("2")', '(context.approval.count >= 2 || context.approval.owners >= 1)'],
    ['@approvers("admin")', 'context.approval.count >= 1'],
    ['@approvers("owner")', 'context.approval.admins >= 9'],
    [
      '@approvers("owner") @quorum("2")',
      'context.approval.owners >= 1 && context.approval.count >= 2',
    ],
    ['@strength("passkey")', 'context.approval.count >= 1'],
    ['@quorum("2")', 'context.agent == "helper" && context.approval.count >= 1'],
  ])('is refused: %s with %s', async (terms, condition) => {
    expect(await complaints(terms, approved(condition))).toHaveLength(1);
  });

  it('is refused when one of several `unless` asks for less', async () => {
    const both = `${approved('context.approval.count >= 2')} ${approved('context.approval.count >= 1')}`;
    expect(await complaints('@quorum("2")', both)).toHaveLength(1);
  });

  it('is told how to demand it', async () => {
    const terms = '@approvers("owner") @quorum("2") @strength("passkey")';
    const [help] = await complaints(terms, approved('context.approval.count >= 1'));
    expect(help).toContain(
      '`context has approval && context.approval.owners >= 2 && context.approval.strengths.contains(Strength::"passkey")`',
    );
    expect(await complaints(terms, approved(`context.approval.owners >= 2 && ${PASSKEY}`))).toEqual(
      [],
    );
  });
});

describe('a gate that is lifted by what its annotations ask for', () => {
  it.each([
    ['', 'context.approval.count >= 1'],
    ['', 'context.approval.count > 0'],
    ['', 'context.approval.admins >= 1'],
    ['@quorum("2")', 'context.approval.count >= 2'],
    ['@quorum("2")', 'context.approval.count >= 3'],
    ['@approvers("admin") @quorum("2")', 'context.approval.owners >= 2'],
    ['@approvers("admin") @strength("passkey")', `context.approval.admins >= 1 && ${PASSKEY}`],
  ])('is taken: %s with %s', async (terms, condition) => {
    expect(await complaints(terms, approved(condition))).toEqual([]);
  });

  it('may be spared by anything that is no approval', async () => {
    const owned =
      'unless { resource.source == "built-in" || (context has approval && context.approval.owners >= 1) }';
    expect(await complaints('@approvers("owner")', owned)).toEqual([]);
  });

  it('is taken as it stands where that cannot be told', async () => {
    const named = 'context.approval.approvers.contains("user:ann")';
    expect(await complaints('@quorum("3")', approved(named))).toEqual([]);
  });
});
