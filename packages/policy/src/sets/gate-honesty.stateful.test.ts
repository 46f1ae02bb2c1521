import { describe, expect, it } from 'vitest';
import { operator, problemsOf } from './compile.fixture.ts';

function complaints(terms: string, conditions: string): readonly string[] {
  return told(terms, conditions).map(({ help }) => help);
}

function told(terms: string, conditions: string) {
  const text = `@id("gate") @says("x") @gate("approval") ${terms} forbid (principal, action == Action::"tool.execute", resource) ${conditions};`;
  return problemsOf([operator(text)]);
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
    ['@quorum("2")', 'context.approval.count + 1 >= 2'],
    ['@quorum("2")', 'context.approval.count * 2 >= 2'],
    ['@quorum("3")', 'context.approval.count == 1'],
    ['@quorum("2")', '!context.approval.approvers.isEmpty()'],
    ['@quorum("2")', '(context.approval.count >= 1) == true'],
    ['@quorum("2")', '(context.approval.count >= 1 || context.unattended) != false'],
    ['@quorum("3")', 'context.approval.approvers.contains("user:ann")'],
    [
      '@strength("passkey")',
      'context.approval.strengths.containsAny([Strength::"device", Strength::"passkey"])',
    ],
    ['@quorum("2")', '(if context.approval.admins >= 1 then true else false)'],
  ])('is refused: %s with %s', (terms, condition) => {
    expect(complaints(terms, approved(condition))).toHaveLength(1);
  });

  it('is refused when one of several `unless` asks for less', () => {
    const both = `${approved('context.approval.count >= 2')} ${approved('context.approval.count >= 1')}`;
    expect(complaints('@quorum("2")', both)).toHaveLength(1);
  });

  it('is told how to demand it', () => {
    const terms = '@approvers("owner") @quorum("2") @strength("passkey")';
    const [help] = complaints(terms, approved('context.approval.count >= 1'));
    expect(help).toContain(
      '`context has approval && context.approval.owners >= 2 && context.approval.strengths.contains(Strength::"passkey")`',
    );
    expect(complaints(terms, approved(`context.approval.owners >= 2 && ${PASSKEY}`))).toEqual([]);
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
  ])('is taken: %s with %s', (terms, condition) => {
    expect(complaints(terms, approved(condition))).toEqual([]);
  });

  it('may be spared by anything that is no approval', () => {
    const owned =
      'unless { resource.source == "built-in" || (context has approval && context.approval.owners >= 1) }';
    expect(complaints('@approvers("owner")', owned)).toEqual([]);
  });

  it.each([
    ['', 'context.approval.approvers.contains("user:ann")'],
    ['@quorum("2")', 'context.approval.count + 1 >= 3'],
    ['@quorum("2")', '(if context.approval.count >= 2 then true else false)'],
    ['@strength("passkey")', 'context.approval.strengths.containsAny([Strength::"passkey"])'],
  ])('is taken however it says so: %s with %s', (terms, condition) => {
    expect(complaints(terms, approved(condition))).toEqual([]);
  });
});

describe('a gate that is lifted otherwise than in its `unless`', () => {
  const LOOKS = 'unless { context has approval && context.approval.count >= 2 }';

  it('is refused when any approval keeps its `when` from holding', () => {
    expect(complaints('@quorum("2")', `when { !(context has approval) } ${LOOKS}`)).toHaveLength(1);
    expect(complaints('@quorum("2")', `when { context has process } ${LOOKS}`)).toEqual([]);
  });

  it('is refused when its `unless` is one question with an answer to each side', () => {
    const asked = (count: number) =>
      `unless { if context has approval then context.approval.count >= ${count} else false }`;
    expect(complaints('@quorum("2")', asked(1))).toHaveLength(1);
    expect(complaints('@quorum("2")', asked(2))).toEqual([]);
  });

  it('is refused when that question has another one in it', () => {
    const asked = (count: number) =>
      `unless { if (if context has approval then context.approval.count >= ${count} else false) then true else context.unattended }`;
    expect(complaints('@quorum("2")', asked(1))).toHaveLength(1);
    expect(complaints('@quorum("2")', asked(2))).toEqual([]);
  });
});

describe('a gate that never asks', () => {
  const APPROVED = '(context has approval && context.approval.count >= 1)';

  it.each([
    'context.bodyBytes >= 0',
    '!(context.argumentBytes < 0)',
    'context.unattended == false',
    '!context.unattended',
    'context.time.hour < 24',
    'context.tier == Tier::"C" || context.tier != Tier::"C"',
    '[Budget::"within", Budget::"unlimited", Budget::"exhausted"].contains(context.budget)',
    'true',
  ])('is refused, with its place: unless %s', (always) => {
    const [problem] = told('', `unless { ${always} || ${APPROVED} }`);
    expect(problem).toMatchObject({ file: 'own.cedar', line: 1 });
    expect(problem?.reason).toMatch(/never asks|always|impossible|true/);
  });

  it('is refused when what it asks about is what it spares', () => {
    const same = 'context.taint.contains(Taint::"web")';
    expect(complaints('', `when { ${same} } unless { ${same} || ${APPROVED} }`)).toHaveLength(1);
  });

  it.each([
    'context.unattended',
    'context.bodyBytes < 1000',
    'context.time.hour >= 9',
    'context.channel == Channel::"cli"',
    'context.tier != Tier::"none"',
    'context.reads.all.isEmpty()',
    'resource.source == "built-in"',
  ])('is not one that asks sometimes: unless %s', (sometimes) => {
    expect(complaints('', `unless { ${sometimes} || ${APPROVED} }`)).toEqual([]);
  });
});

describe('a gate that is not what it seems', () => {
  it.each([
    [
      'whose condition takes less',
      'unless { context has approval && context.approval.count >= 1 }',
    ],
    ['that no approval lifts', ''],
  ])('is told at its `@gate`, not where its rule begins: one %s', (_, conditions) => {
    const text = `@id("a") @says("b")\n  @quorum("2") @gate("approval")\nforbid (principal, action == Action::"tool.execute", resource) ${conditions};`;
    expect(problemsOf([operator(text)])).toMatchObject([{ line: 2, column: 16 }]);
  });
});

describe('gates by the hundred', () => {
  it('are looked at in good time, and the one that is weak is found', () => {
    const gate = (id: number, count: number) =>
      `@id("gate-${id}") @says("x") @gate("approval") @quorum("2") forbid (principal, action == Action::"tool.execute", resource) when { context.agent == "a${id}" } unless { context.unattended || context.skill == "s${id}" || context.run == "r" || (context has approval && context.approval.count >= ${count}) };`;
    const text = Array.from({ length: 500 }, (_, id) => gate(id, id === 321 ? 1 : 2)).join('\n');
    expect(problemsOf([operator(text)])).toMatchObject([{ line: 322 }]);
  });
});
