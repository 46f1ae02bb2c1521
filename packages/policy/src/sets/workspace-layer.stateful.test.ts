import { describe, expect, it } from 'vitest';
import type { PolicyFile } from '../model.ts';
import { openHouse } from './house.fixture.ts';

const SCOPE = 'principal, action == Action::"tool.execute", resource';
const DEEP = `@id("workspace-deep") @says("x") forbid (${SCOPE}) when { context${'["a"]'.repeat(2500)} };`;
const NOTHING_IS_DONE = 'workspace-does-nothing-while-unreadable';

type House = Awaited<ReturnType<typeof openHouse>>;

describe('a workspace that wants to keep the rules of people out', () => {
  it.each([
    ['with a rule that breaks Cedar', DEEP],
    ['with the id of a rule of the operator', forbid('urgent')],
    ['with more rules than it may have', many(201)],
  ])('%s, cannot', async (_name, text) => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', forbid('first'));
    house.layers.write('workspace', 'w.cedar', text);
    await house.start();
    expect(house.inForce().set.mode).toBe('ask');
    expect(lastIds(house, 2)).toEqual(['first', NOTHING_IS_DONE]);
    house.layers.write('operator', 'a.cedar', forbid('urgent'));
    const { changed, problems } = await house.sets.reload('user:1');
    expect(changed).toBe(true);
    expect(new Set(problems.map(({ layer }) => layer))).toEqual(new Set(['workspace']));
    expect(lastIds(house, 2)).toEqual(['urgent', NOTHING_IS_DONE]);
  });

  it.each([
    ['a folder', 'more/w.cedar', forbid('workspace-a')],
    ['a hidden file', '.w.cedar', forbid('workspace-a')],
    ['a file in capitals', 'W.CEDAR', forbid('workspace-a')],
    ['patterns that take long', 'w.cedar', slow(9)],
  ])('with %s, cannot: it may do nothing itself', async (_name, name, text) => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', forbid('urgent'));
    house.layers.write('workspace', name, text);
    await house.start();
    expect(house.inForce().set.mode).toBe('ask');
    expect(lastIds(house, 2)).toEqual(['urgent', NOTHING_IS_DONE]);
    expect(new Set(house.sets.problems().map(({ layer }) => layer))).toEqual(
      new Set(['workspace']),
    );
  });

  it('by using up what a set may hold, cannot', async () => {
    await using house = await openHouse();
    house.layers.write('workspace', 'w.cedar', many(200));
    await house.start();
    expect(lastIds(house, 1)).toEqual(['workspace-199']);
    const free = 2000 - house.inForce().set.rules.length + 200;
    const rules = Array.from({ length: free }, (_, index) => forbid(`own-${index}`)).join('');
    house.layers.write('operator', 'a.cedar', rules);
    expect(await house.sets.reload('user:1')).toEqual({ changed: true, problems: [] });
    expect(house.inForce().set.rules).toHaveLength(2200);
  });

  it('by rules on a tool that is gone, cannot: then it may do nothing', async () => {
    await using house = await openHouse();
    house.layers.write('workspace', 'w.cedar', forbid('workspace-a', 'fs.write'));
    await house.start('ask', ['fs.read', 'fs.write']);
    await house.restart('ask', ['fs.read']);
    house.layers.write('operator', 'a.cedar', forbid('urgent'));
    await house.sets.reload('user:1');
    expect(lastIds(house, 2)).toEqual(['urgent', NOTHING_IS_DONE]);
  });
});

describe('a workspace that cannot be read', () => {
  it('keeps neither a candidate nor an apply from the operator', async () => {
    await using house = await openHouse();
    house.layers.write('workspace', 'w.cedar', forbid('workspace-a'));
    await house.start();
    house.layers.write('workspace', 'w.cedar', 'nonsense');
    await house.sets.reload('user:1');
    const files = [file('a.cedar', forbid('urgent'))];
    const candidate = await house.sets.candidate(files);
    expect(candidate.rules.slice(-2).map(({ id }) => id)).toEqual(['urgent', 'workspace-a']);
    const over = house.inForce().set.hash;
    const set = await house.sets.apply(files, { over, actor: 'user:1' });
    expect(house.inForce().set).toEqual(set);
    expect(set.hash).toBe(candidate.hash);
    expect(house.sets.problems()).toMatchObject([{ layer: 'workspace', file: 'w.cedar' }]);
    const bad = house.sets.candidate([file('a.cedar', 'nonsense')]);
    await expect(bad).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      message: expect.stringContaining('operator/a.cedar'),
    });
  });

  it('does nothing after everything was closed, since it never held anything', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', 'nonsense');
    house.layers.write('workspace', 'w.cedar', 'nonsense');
    await house.start();
    expect(house.inForce().set.mode).toBe('closed');
    house.layers.write('operator', 'a.cedar', forbid('own'));
    await house.sets.reload('user:1');
    expect(house.inForce().set.mode).toBe('ask');
    expect(lastIds(house, 2)).toEqual(['own', NOTHING_IS_DONE]);
  });

  it('does nothing either when the rules of people are those of before', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', forbid('own'));
    house.layers.write('workspace', 'w.cedar', forbid('workspace-a'));
    await house.start();
    house.layers.write('operator', 'a.cedar', 'nonsense');
    house.layers.write('workspace', 'w.cedar', 'nonsense');
    await house.restart();
    expect(lastIds(house, 2)).toEqual(['own', NOTHING_IS_DONE]);
  });
});

describe('at a start with rules of people that cannot be taken', () => {
  it('the workspace of now counts, not the one of before', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', forbid('own'));
    house.layers.write('workspace', 'w.cedar', forbid('workspace-before'));
    await house.start();
    house.layers.write('operator', 'a.cedar', 'nonsense');
    house.layers.write('workspace', 'w.cedar', forbid('workspace-now'));
    await house.restart();
    expect(lastIds(house, 2)).toEqual(['own', 'workspace-now']);
  });

  it('the mode of now counts, although a workspace took the id of one of its rules', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', forbid('own'));
    house.layers.write('workspace', 'w.cedar', forbid('read-only-changes-nothing'));
    await house.start('auto');
    house.layers.write('operator', 'a.cedar', 'nonsense');
    house.layers.write('workspace', 'w2.cedar', DEEP);
    await house.restart('read-only');
    expect(house.inForce().set.mode).toBe('read-only');
    expect(lastIds(house, 2)).toEqual(['own', NOTHING_IS_DONE]);
  });

  it('the mode of now counts, also when a tool is gone that they name', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', forbid('own', 'fs.write'));
    await house.start('auto');
    await house.restart('read-only', ['fs.read']);
    expect(house.inForce().set.mode).toBe('read-only');
    expect(lastIds(house, 1)).toEqual(['own']);
    expect(house.sets.problems()).toMatchObject([{ reason: 'there is no tool `fs.write`' }]);
  });
});

describe('candidates', () => {
  it('do not hold up a reload, and no more than so many wait', async () => {
    await using house = await openHouse();
    await house.start();
    const order: string[] = [];
    const candidates = Array.from({ length: 8 }, async (_, index) => {
      await house.sets.candidate([file('a.cedar', forbid(`own-${index}`))]);
      order.push('candidate');
    });
    house.layers.write('operator', 'a.cedar', forbid('urgent'));
    const reload = house.sets.reload('user:1').then(() => order.push('reload'));
    await expect(house.sets.candidate([file('a.cedar', forbid('x'))])).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    await Promise.all([...candidates, reload]);
    expect(order.at(-1)).toBe('candidate');
    expect(lastIds(house, 1)).toEqual(['urgent']);
  });
});

function forbid(id: string, tool = 'fs.read'): string {
  return `@id("${id}") @says("x") forbid (${SCOPE} == Tool::"${tool}");\n`;
}

function many(count: number): string {
  return Array.from({ length: count }, (_, index) => forbid(`workspace-${index}`)).join('');
}

function file(name: string, text: string): PolicyFile {
  return { layer: 'operator', name, text };
}

function lastIds(house: House, count: number): readonly string[] {
  return house
    .inForce()
    .set.rules.slice(-count)
    .map(({ id }) => id);
}

/** Rules of a workspace that compare long values with long patterns. */
function slow(count: number): string {
  const rule = (place: number) =>
    `@id("workspace-${place}") @says("x") forbid (${SCOPE}) when { context.agent like "*${'a'.repeat(254)}b" };`;
  return Array.from({ length: count }, (_, place) => rule(place)).join('\n');
}
