import { create } from '@bufbuild/protobuf';
import { CallFactsSchema, Capability, DecisionKind, Risk } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { decide } from '../engine/decide.ts';
import { createEngine } from '../engine/engine.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import type { PolicyRequest } from '../model.ts';
import type { CaseTools } from './case-request.ts';
import { policyCaseSchema } from './policy-case.ts';
import { runCases } from './run-cases.ts';

const tools: CaseTools = {
  find: (name) =>
    name === 'note.write'
      ? {
          capabilities: [Capability.FILESYSTEM_WRITE],
          risk: Risk.MEDIUM,
          source: 'built-in',
          understand: ({ path }) =>
            typeof path === 'string'
              ? { kind: 'understood', facts: create(CallFactsSchema, { writes: [path] }) }
              : { kind: 'not-understood', reason: '`path` is missing' },
        }
      : undefined,
};

function run(fields: Readonly<Record<string, unknown>>, kind: DecisionKind = DecisionKind.ALLOW) {
  const asked: PolicyRequest[] = [];
  const each = policyCaseSchema.parse({ name: 'a case', expect: 'allow', ...fields });
  const [result] = runCases([each], {
    tools,
    decide: (request) => {
      asked.push(request);
      return { kind, rules: [], gates: [], errors: [], request, setHash: '' };
    },
  });
  return { result, request: asked[0] };
}

describe('a case', () => {
  it('is asked with what the tool makes of its arguments', () => {
    const { result, request } = run({ tool: 'note.write', arguments: { path: 'a/b.md' } });
    expect(result).toMatchObject({ passed: true, got: 'allow', difference: '' });
    expect(request?.context['writes']).toMatchObject({
      all: ['a/b.md'],
      anyUnder: ['.', 'a', 'a/b.md'],
    });
    expect(request?.entities.at(-1)).toEqual({
      uid: { type: 'Tool', id: 'note.write' },
      attrs: {
        capabilities: [{ type: 'Capability', id: 'filesystem_write' }],
        risk: { type: 'Risk', id: 'medium' },
        source: 'built-in',
      },
      parents: [],
    });
  });

  it.each([
    [
      'arguments that the tool does not understand',
      { tool: 'note.write', arguments: {} },
      '`path` is missing',
    ],
    [
      'arguments for a tool that is not there',
      { tool: 'x', arguments: {} },
      'there is no tool `x`',
    ],
    [
      'an action that needs something to act on',
      { action: 'vault.get' },
      '`vault.get` needs a `resource`',
    ],
    [
      'a path in a second spelling',
      { tool: 'x', facts: { writes: ['a/../b'] } },
      'not in its one spelling',
    ],
    [
      'a scope that there is not',
      { principal: 'token:ci', scopes: ['memory.used'], action: 'memory.use' },
      'there is no scope `memory.used`',
    ],
    ['a source of no tool', { tool: 'note.write', source: 'mpc' }, 'no tool comes from `mpc`'],
  ])('with %s is unsound: no rule was asked', (_, fields, problem) => {
    const { result, request } = run(fields);
    expect(request).toBeUndefined();
    expect(result).toMatchObject({ passed: false, got: 'unsound', rules: [] });
    expect(result?.problems.join('')).toContain(problem);
    expect(result?.difference).toContain('expected allow, got unsound');
  });

  it.each([
    ['an action that there is not', { action: 'memory.remove' }, 'memory.remove'],
    ['what its action is not for', { action: 'routine.run' }, 'routine.run'],
  ])('about %s does not fit, and is no denial', async (_, fields, word) => {
    const resource = { type: 'Memory', owner: 'user:ada' };
    const loaded = await createEngine().load(await ruleSetOf(''), 'active');
    const world = { tools, decide: (request: PolicyRequest) => decide(loaded, request) };
    const [denied, unfit] = runCases(
      ['deny', 'unfit'].map((expected) =>
        policyCaseSchema.parse({ name: 'a case', resource, expect: expected, ...fields }),
      ),
      world,
    );
    expect(denied).toMatchObject({ passed: false, got: 'unfit', rules: [] });
    expect(denied?.difference).toContain('expected deny, got unfit');
    expect(denied?.difference).toContain(word);
    expect(unfit).toMatchObject({ passed: true, difference: '' });
  });

  it('tells what it got instead', () => {
    const { result } = run({ tool: 'x', expect: 'ask' }, DecisionKind.DENY);
    expect(result?.difference).toBe('expected ask, got deny (no rule)');
  });

  it('fails when another rule decided than it says', () => {
    const { result } = run({ tool: 'x', rule: 'mine' });
    expect(result).toMatchObject({
      passed: false,
      got: 'allow',
      difference: 'expected `mine` among those that decided, got no rule',
    });
  });

  it('takes a decision that is none for a denial', () => {
    expect(run({ tool: 'x' }, DecisionKind.UNSPECIFIED).result?.got).toBe('deny');
  });

  it('names its approvers', () => {
    const { request } = run({
      tool: 'x',
      approval: [{ role: 'admin', strength: 'passkey' }, { principal: 'user:eve' }],
    });
    expect(request?.context['approval']).toEqual({
      approvers: ['user:approver-1', 'user:eve'],
      count: 2,
      admins: 1,
      owners: 0,
      strengths: [{ type: 'Strength', id: 'device' }],
    });
  });

  it('asks the gateway for a permission', () => {
    const { request } = run({
      principal: 'token:ci',
      scopes: ['memory.use'],
      action: 'memory.use',
    });
    expect(request).toMatchObject({
      principal: { type: 'Token', id: 'ci' },
      action: 'memory.use',
      resource: { type: 'Gateway', id: 'gateway' },
      context: { permission: 'memory.use' },
    });
    expect(request?.entities[0]?.attrs).toEqual({
      owner: { type: 'User', id: 'ada' },
      scopes: ['memory.use'],
    });
  });
});
