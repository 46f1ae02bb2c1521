import { describe, expect, it } from 'vitest';
import type { PolicyFile, Problem } from '../model.ts';
import { compile } from './compile.ts';

describe('the bounds of rules', () => {
  it.each([
    ['brackets', `${'('.repeat(60)}true${')'.repeat(60)}`],
    ['ten thousand brackets', `${'('.repeat(10_000)}true${')'.repeat(10_000)}`],
    ['sets', `${'['.repeat(60)}1${']'.repeat(60)} == [1]`],
    ['conditions', `${'if true then '.repeat(60)}true${' else false'.repeat(60)}`],
    ['operators', Array.from({ length: 500 }, () => 'true').join(' && ')],
  ])('a rule of too many %s is refused before Cedar sees it', (_name, condition) => {
    const [problem] = problemsOf([operator(permit(`when { ${condition} }`))]);
    expect(problem).toMatchObject({ line: 1, reason: 'the rule is too complicated' });
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

function operator(text: string): PolicyFile {
  return { layer: 'operator', name: 'own.cedar', text };
}

function permit(rest: string): string {
  const scope = 'principal, action == Action::"tool.execute", resource';
  return `@id("a")\n@says("something")\npermit (${scope}) ${rest};`;
}

function problemsOf(files: readonly PolicyFile[]): readonly Problem[] {
  const result = compile(files, { mode: 'ask' });
  return result.kind === 'refused' ? result.problems : [];
}
