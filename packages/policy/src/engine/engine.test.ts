import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleSet } from '../model.ts';
import { requestOf } from '../request/call.fixture.ts';
import { loadCedar } from './cedar.ts';
import { createEngine } from './engine.ts';
import { ruleSetOf } from './rule-set.fixture.ts';

const PERMIT = '@id("everything") permit (principal, action, resource);';

let allowing: RuleSet;
let denying: RuleSet;

beforeAll(async () => {
  allowing = await ruleSetOf(PERMIT);
  denying = await ruleSetOf('');
});

describe('the engine', () => {
  it('has the version that it states', async () => {
    const cedar = await loadCedar();
    expect(createEngine().version).toBe(`cedar ${cedar.getCedarVersion()}`);
  });

  it('keeps the set in force while its successor is loaded, and no longer', async () => {
    const engine = createEngine();
    const first = await engine.load(allowing, 'active');
    const second = await engine.load(denying, 'active');
    expect(first.evaluate(requestOf()).decision).toBe('allow');
    expect(second.evaluate(requestOf()).decision).toBe('deny');
    const third = await engine.load(allowing, 'active');
    expect(() => first.evaluate(requestOf())).toThrow('another set of rules was loaded');
    expect(second.evaluate(requestOf()).decision).toBe('deny');
    expect(third.evaluate(requestOf()).decision).toBe('allow');
  });

  it.each(['candidate', 'scratch'] as const)('overwrites the slot %s', async (slot) => {
    const engine = createEngine();
    const first = await engine.load(allowing, slot);
    const active = await engine.load(allowing, 'active');
    const second = await engine.load(denying, slot);
    expect(() => first.evaluate(requestOf())).toThrow('another set of rules was loaded');
    expect(second.evaluate(requestOf()).decision).toBe('deny');
    expect(active.evaluate(requestOf()).decision).toBe('allow');
  });

  it('loads one after another, in the order asked for', async () => {
    const engine = createEngine();
    const [first, second] = await Promise.all([
      engine.load(allowing, 'scratch'),
      engine.load(denying, 'scratch'),
    ]);
    expect(() => first.evaluate(requestOf())).toThrow('another set of rules was loaded');
    expect(second.evaluate(requestOf()).decision).toBe('deny');
  });

  it('shares no set with another engine of the same thread', async () => {
    const one = await createEngine().load(allowing, 'active');
    const other = await createEngine().load(denying, 'active');
    expect(one.evaluate(requestOf()).decision).toBe('allow');
    expect(other.evaluate(requestOf()).decision).toBe('deny');
  });

  it('after 150 reloads holds the last two', async () => {
    const engine = createEngine();
    const loaded = [];
    for (let time = 0; time < 150; time += 1) loaded.push(await engine.load(allowing, 'active'));
    const usable = loaded.map((set) => {
      try {
        return set.evaluate(requestOf()).decision === 'allow';
      } catch {
        return false;
      }
    });
    expect(usable.lastIndexOf(false)).toBe(147);
    expect(usable.slice(148)).toEqual([true, true]);
  });
});

describe('a set that Cedar does not take', () => {
  it('is refused, and what is in force stays', async () => {
    const engine = createEngine();
    const inForce = await engine.load(allowing, 'active');
    const [rule] = allowing.rules;
    const broken = JSON.parse(JSON.stringify({ ...rule, json: { effect: 'perhaps' } }));
    await expect(engine.load({ ...allowing, rules: [broken] }, 'active')).rejects.toThrow();
    await expect(engine.load({ ...allowing, rules: [broken] }, 'active')).rejects.toThrow();
    expect(inForce.evaluate(requestOf()).decision).toBe('allow');
  });

  it('may have two rules of one id', async () => {
    const rules = [...allowing.rules, ...allowing.rules];
    await expect(createEngine().load({ ...allowing, rules }, 'active')).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      message: 'two rules have the same id',
    });
  });

  it('may have a schema that is none', async () => {
    const schema = { '': { entityTypes: {}, actions: { a: { memberOf: [{ id: 'missing' }] } } } };
    await expect(createEngine().load({ ...allowing, schema }, 'active')).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
  });
});
