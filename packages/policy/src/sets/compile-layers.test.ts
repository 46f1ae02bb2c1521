import { describe, expect, it } from 'vitest';
import type { Layer, PolicyFile } from '../model.ts';
import { ACTS } from './check-rule.ts';
import { compile } from './compile.ts';
import {
  compiled,
  forbid,
  gate,
  HEAD,
  named,
  operator,
  permit,
  problemsOf,
  workspace,
} from './compile.fixture.ts';

describe('what may stand in which layer', () => {
  it('a workspace may forbid, and may not permit', () => {
    expect(problemsOf([workspace(permit(''))])[0]?.reason).toBe(
      'a workspace may only forbid, and this is a `permit`',
    );
    expect(compiled([workspace(forbid(''))]).rules).toHaveLength(1);
    expect(compiled([workspace(gate(''))]).rules).toHaveLength(1);
  });

  it.each([
    'principal, action, resource',
    'principal, action == Action::"policy.manage", resource',
    'principal, action in [Action::"act", Action::"control"], resource',
  ])('a workspace locks nobody out of the gateway: %s', (scope) => {
    const [problem] = problemsOf([workspace(`${HEAD}forbid (${scope});`)]);
    expect(problem?.reason).toContain('not what people do with the gateway');
  });

  it('a workspace may forbid every act that the schema knows', () => {
    const { actions } = compiled([workspace(forbid(''))]).schema[''] ?? {};
    const acts = Object.entries(actions ?? {})
      .filter(([, { memberOf }]) => memberOf?.some(({ id }) => id === 'act'))
      .map(([name]) => name);
    expect(new Set([...acts, 'act'])).toEqual(ACTS);
  });

  it.each(['context has approval', 'context.unattended', 'context == context'])(
    'a permit does not count on an answer: %s',
    (condition) => {
      const [problem] = problemsOf([operator(permit(`when { ${condition} }`))]);
      expect(problem?.reason).toContain('a `permit` looks at');
    },
  );

  it.each<readonly [Layer, number]>([
    ['built-in', 0],
    ['admin', 0],
    ['operator', 1],
    ['workspace', 1],
  ])('a hard forbid in the layer %s: %i problems', (layer, count) => {
    const text = `@hard ${forbid('')}`;
    const file = layer === 'workspace' ? workspace(text) : { layer, name: 'x.cedar', text };
    expect(problemsOf([file])).toHaveLength(count);
  });

  it('an id is taken once, whatever the layer', () => {
    const files: PolicyFile[] = [
      { layer: 'admin', name: 'x.cedar', text: `\n${forbid('')}` },
      operator(forbid('')),
    ];
    expect(problemsOf(files)).toEqual([
      expect.objectContaining({
        layer: 'operator',
        line: 1,
        reason: 'the id `a` is taken by line 2 of `x.cedar` (admin)',
      }),
    ]);
  });

  it('an id that is taken is told where it stands, not where its rule begins', () => {
    const text = '@says("b")\n  @id("a")\nforbid (principal, action, resource);';
    expect(
      problemsOf([{ layer: 'admin', name: 'x.cedar', text: forbid('') }, operator(text)]),
    ).toEqual([expect.objectContaining({ layer: 'operator', line: 2, column: 3 })]);
  });

  it('ids that begin with `workspace-` are those of a workspace, and it has no others', () => {
    const prefixed = workspace(forbid('')).text;
    expect(problemsOf([operator(prefixed)])[0]?.reason).toBe(
      'the id `workspace-a` begins like those of a workspace',
    );
    expect(problemsOf([{ ...operator(forbid('')), layer: 'workspace' }])[0]?.reason).toBe(
      'the id `a` of a rule of a workspace does not begin with `workspace-`',
    );
    expect(compiled([operator(forbid('')), workspace(forbid(''))]).rules).toHaveLength(2);
  });

  it.each(['read-only-changes-nothing', 'auto-spares-small-questions'])(
    'the id of a rule of a mode that is not in force is taken: %s',
    (id) => {
      expect(problemsOf([operator(named(id))])).toEqual([
        expect.objectContaining({ reason: `the id \`${id}\` is that of a rule of a mode` }),
      ]);
    },
  );

  it('a set of an earlier day is not held against what is asked of ids today', () => {
    const files = [{ ...operator(forbid('')), layer: 'workspace' } as const];
    expect(compile(files, { mode: 'ask' }).kind).toBe('compiled');
  });
});
