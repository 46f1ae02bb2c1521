import { describe, expect, it } from 'vitest';
import {
  HEAD,
  SCOPE,
  compiled,
  forbid,
  operator,
  permit,
  problemsOf,
  workspace,
} from './compile.fixture.ts';

describe('the bounds of rules', () => {
  it.each([
    ['brackets', `${'('.repeat(60)}true${')'.repeat(60)}`],
    ['ten thousand brackets', `${'('.repeat(10_000)}true${')'.repeat(10_000)}`],
    ['sets', `${'['.repeat(60)}1${']'.repeat(60)} == [1]`],
    ['conditions', `${'if true then '.repeat(60)}true${' else false'.repeat(60)}`],
    ['operators', Array.from({ length: 500 }, () => 'true').join(' && ')],
    ['indexes', `context${'["a"]'.repeat(2500)}`],
    ['attributes', `context${'.a'.repeat(2500)}`],
    ['attributes after has', `context has a${'.a'.repeat(2500)}`],
    ['has', `context${' has a'.repeat(1500)}`],
    ['negations', `${'!'.repeat(2500)}true`],
    ['minus signs', `${'-'.repeat(2500)}1 == 1`],
    ['comparisons', `1${' == 1'.repeat(1500)}`],
    ['conditions of their own', `true }${' when { true }'.repeat(1000)} when { true`],
  ])('a rule of too many %s is refused before Cedar sees it', (_name, condition) => {
    const [problem] = problemsOf([operator(permit(`when { ${condition} }`))]);
    expect(problem).toMatchObject({ line: 1, reason: 'the rule is too complicated' });
  });

  it.each([
    ['indexes', `context${'["a"]'.repeat(300)}`],
    ['sums', `1${' + 1'.repeat(300)} == 1`],
  ])(
    'a rule of so many %s that Cedar might break is not held against the schema',
    (_name, body) => {
      const problems = problemsOf([operator(permit(`when { ${body} }`))]);
      expect(problems.map(({ reason }) => reason)).toEqual([
        'the rule is nested deeper than 100 levels',
      ]);
    },
  );

  it('a pattern is no longer than need be', () => {
    const like = (pattern: string) => forbid(`when { context.agent like "${pattern}" }`);
    expect(problemsOf([operator(like(`*${'a'.repeat(255)}`))])).toEqual([]);
    expect(problemsOf([operator(like('a'.repeat(2000)))])).toEqual([]);
    expect(problemsOf([operator(like(`*${'a'.repeat(256)}`))])).toMatchObject([
      { reason: 'a pattern of a `like` is longer than 256 characters' },
    ]);
    expect(problemsOf([operator(like('a*'.repeat(200)))])).toHaveLength(1);
  });

  it('all patterns together are no longer than need be, of a workspace less than of people', () => {
    const rules = (count: number) =>
      Array.from(
        { length: count },
        (_, at) =>
          `@id("a-${at}") @says("x") forbid (${SCOPE}) when { context.agent like "*${'a'.repeat(255)}" };`,
      ).join('\n');
    expect(problemsOf([workspace(rules(8))])).toEqual([]);
    expect(problemsOf([workspace(rules(9))])).toMatchObject([
      { layer: 'workspace', line: 9, reason: expect.stringContaining('longer than 2048') },
    ]);
    expect(problemsOf([operator(rules(128))])).toEqual([]);
    expect(problemsOf([operator(rules(129))])).toMatchObject([
      { layer: 'operator', line: 129, reason: expect.stringContaining('longer than 32768') },
    ]);
  });

  it('what is wrong in a workspace is never said of a file of another layer', () => {
    const good = operator(`${HEAD}forbid (${SCOPE});`);
    const deep = `${HEAD}forbid (${SCOPE}) when { context${'["a"]'.repeat(3000)} };`;
    const bodies = [
      deep,
      'nonsense',
      ';'.repeat(100_000),
      `"${'\\"'.repeat(50_000)}`,
      deep.repeat(20),
    ];
    for (const body of bodies) {
      const layers = problemsOf([good, workspace(body)]).map(({ layer }) => layer);
      expect(new Set(layers)).toEqual(new Set(['workspace']));
    }
  });

  it('a rule that breaks the schema is named in its own file, whatever layers there are', () => {
    const wrong = (id: string) =>
      `@id("${id}") @says("x") forbid (${SCOPE}) when { context.nothing };`;
    const problems = problemsOf([
      operator(wrong('a')),
      { layer: 'admin', name: 'b.cedar', text: wrong('b') },
      workspace(wrong('c')),
    ]);
    expect(problems.map(({ layer, file }) => `${layer} ${file}`)).toEqual([
      'admin b.cedar',
      'operator own.cedar',
      'workspace own.cedar',
    ]);
  });

  it('a workspace has bounds of its own, and uses nothing up that people need', () => {
    const many = (count: number, layer: 'operator' | 'workspace') => {
      const rule = (index: number) => `@id("r-${index}") @says("x") forbid (${SCOPE});\n`;
      const text = Array.from({ length: count }, (_, index) => rule(index)).join('');
      return layer === 'workspace' ? workspace(text) : operator(text);
    };
    expect(compiled([many(2000, 'operator'), many(200, 'workspace')]).rules).toHaveLength(2200);
    expect(problemsOf([many(1, 'operator'), many(201, 'workspace')])).toEqual([
      expect.objectContaining({
        layer: 'workspace',
        line: 201,
        reason: 'the workspace holds more than 200 rules together',
      }),
    ]);
    const long = workspace(`// ${'x'.repeat(128 * 1024)}`);
    expect(problemsOf([long])[0]?.reason).toContain('the workspace are longer than 131072 bytes');
    const files = Array.from({ length: 33 }, (_, index) => ({
      ...workspace(''),
      name: `${index}.cedar`,
    }));
    expect(problemsOf(files)).toMatchObject([{ reason: expect.stringContaining('32 files') }]);
  });

  it('a rule that is deeper than its JSON may be is refused', () => {
    const condition = Array.from({ length: 60 }, () => 'context.agent == "x"').join(' || ');
    const [problem] = problemsOf([operator(permit(`when { ${condition} }`))]);
    expect(problem?.reason).toBe('the rule is nested deeper than 100 levels');
  });

  it('a long rule, a long file and a large set are refused', () => {
    const long = permit(`when { context.agent == "${'x'.repeat(17_000)}" }`);
    expect(problemsOf([operator(long)])[0]?.reason).toBe('a rule is longer than 16384 bytes');
    const filler = `// ${'x'.repeat(100)}\n`;
    const file = filler.repeat(2700);
    expect(problemsOf([operator(file)])[0]?.reason).toBe('it is longer than 262144 bytes');
    const large = Array.from({ length: 6 }, (_, index) => ({
      ...operator(filler.repeat(2000)),
      name: `${index}.cedar`,
    }));
    expect(problemsOf(large)[0]?.reason).toContain('longer than 1048576 bytes');
  });

  it('more rules than a set may hold are refused, and the first beyond is named', () => {
    const rule = (index: number) =>
      `@id("r-${index}") @says("x") permit (principal, action, resource);\n`;
    const text = Array.from({ length: 2001 }, (_, index) => rule(index)).join('');
    expect(problemsOf([operator(text)])).toEqual([
      expect.objectContaining({
        line: 2001,
        reason: 'the layers hold more than 2000 rules together',
      }),
    ]);
  });

  it('a file twice is refused', () => {
    expect(problemsOf([operator(''), operator('')])[0]?.reason).toBe('it is there twice');
  });
});
