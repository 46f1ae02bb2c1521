import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mode, PolicyFile } from '../model.ts';
import { builtInFiles } from './built-in.ts';
import { builtInSet } from './built-in-set.ts';
import { openHouse } from './house.fixture.ts';

const SCOPE = 'principal, action == Action::"tool.execute", resource';
const GOOD = `@id("own") @says("no writing") forbid (${SCOPE} == Tool::"fs.write");\n`;
const OTHER = `@id("own") @says("no reading") forbid (${SCOPE} == Tool::"fs.read");\n`;
const BAD = 'forbid (principal, action, resource) wenn { true };\n';

describe('at a start', () => {
  it('without files the built-in rules are in force, and the journal tells it once', async () => {
    await using house = await openHouse();
    const { hash } = await house.start();
    expect(hash).toBe(builtInHash('ask'));
    expect(await house.told('policy.changed')).toEqual([
      { policySetHash: hash, mode: 'ask', rules: expect.any(Number), cause: 'start' },
    ]);
    const { changedAt } = house.inForce();
    await house.restart();
    expect(house.inForce().changedAt).toEqual(changedAt);
    expect(await house.told('policy.changed')).toHaveLength(1);
  });

  it('files of every layer are taken', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    house.layers.write('workspace', 'w.cedar', GOOD.replace('own', 'workspace-own'));
    await house.start();
    const ids = house.inForce().set.rules.map(({ id }) => id);
    expect(ids.slice(-2)).toEqual(['own', 'workspace-own']);
    expect(house.sets.problems()).toEqual([]);
  });

  it('files that cannot be taken leave what was in force before', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    const { hash } = await house.start();
    house.layers.write('operator', 'a.cedar', BAD);
    expect((await house.restart()).hash).toBe(hash);
    expect(house.sets.problems()).toMatchObject([
      { layer: 'operator', file: 'a.cedar', line: 1, column: 38 },
    ]);
    expect(await house.told('policy.refused')).toMatchObject([
      {
        policySetHash: hash,
        cause: 'start',
        problems: [{ layer: 'POLICY_LAYER_OPERATOR', file: 'a.cedar', line: 1, column: 38 }],
      },
    ]);
  });

  it('files that cannot be taken do not keep a narrower mode from being chosen', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    await house.start();
    house.layers.write('operator', 'a.cedar', BAD);
    await house.restart('read-only');
    const { set } = house.inForce();
    expect(set.mode).toBe('read-only');
    expect(set.rules.map(({ id }) => id)).toContain('own');
    expect(house.sets.problems()).toHaveLength(1);
  });

  it('files that cannot be taken close everything when nothing ever was in force', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', BAD);
    await house.start();
    expect(house.inForce().set.mode).toBe('closed');
    await house.restart();
    expect(house.inForce().set.mode).toBe('closed');
    house.layers.write('operator', 'a.cedar', GOOD);
    expect(await house.sets.reload('user:1')).toEqual({ changed: true, problems: [] });
    expect(house.inForce().set.mode).toBe('ask');
  });

  it('a workspace whose rules cannot be read does nothing, and closes nothing else', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    house.layers.write('workspace', 'w.cedar', BAD);
    await house.start();
    const { set } = house.inForce();
    expect(set.mode).toBe('ask');
    expect(set.rules.slice(-2).map(({ id }) => id)).toEqual([
      'own',
      'workspace-does-nothing-while-unreadable',
    ]);
    expect(house.sets.problems()).toMatchObject([{ layer: 'workspace', file: 'w.cedar' }]);
  });

  it('a workspace cannot keep the rules of people from coming into force', async () => {
    await using house = await openHouse();
    house.layers.write('workspace', 'w.cedar', GOOD.replace('own', 'workspace-own'));
    await house.start();
    house.layers.write('workspace', 'w.cedar', BAD);
    house.layers.write('operator', 'a.cedar', OTHER);
    expect(await house.sets.reload('user:1')).toMatchObject({
      changed: true,
      problems: [{ layer: 'workspace', file: 'w.cedar' }],
    });
    const ids = house.inForce().set.rules.map(({ id }) => id);
    expect(ids.slice(-2)).toEqual(['own', 'workspace-own']);
  });

  it('a tool that is gone leaves its rules in force, and is told', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    const { hash } = await house.start();
    expect((await house.restart('ask', ['fs.read'])).hash).toBe(hash);
    expect(house.sets.problems()).toMatchObject([{ reason: 'there is no tool `fs.write`' }]);
  });
});

describe('a change of a file', () => {
  it('is in force without anybody asking, also in a directory that was not there', async () => {
    await using house = await openHouse();
    await house.start();
    const changed = house.nextChange();
    house.layers.write('operator', 'a.cedar', GOOD);
    expect((await changed).set.rules.at(-1)?.id).toBe('own');
    const back = house.nextChange();
    rmSync(house.layers.dirs.operator, { recursive: true });
    expect((await back).set.hash).toBe(builtInHash('ask'));
    const again = house.nextChange();
    house.layers.write('operator', 'a.cedar', OTHER);
    expect((await again).set.rules.at(-1)?.id).toBe('own');
  });

  it('that is bad is told once however often it is read, and again after a good one', async () => {
    await using house = await openHouse();
    const { hash } = await house.start();
    house.layers.write('operator', 'a.cedar', BAD);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await house.sets.reload('user:1')).toMatchObject({
        changed: false,
        problems: [{ line: 1 }],
      });
    }
    expect(house.inForce().set.hash).toBe(hash);
    expect(await house.told('policy.refused')).toHaveLength(1);
    rmSync(join(house.layers.dirs.operator, 'a.cedar'));
    expect(await house.sets.reload('user:1')).toEqual({ changed: false, problems: [] });
    house.layers.write('operator', 'a.cedar', BAD);
    await house.sets.reload('user:1');
    expect(await house.told('policy.refused')).toHaveLength(2);
  });

  it('counts as it was last, however many ask at once', async () => {
    await using house = await openHouse();
    await house.start();
    const turns = [GOOD, BAD, OTHER, BAD, GOOD, OTHER].map((text) => {
      house.layers.write('operator', 'a.cedar', text);
      return house.sets.reload('user:1');
    });
    await Promise.all(turns);
    expect(house.inForce().set.files.find(({ layer }) => layer === 'operator')?.text).toBe(OTHER);
    expect(house.sets.problems()).toEqual([]);
    expect((await house.told('policy.changed')).length).toBeLessThanOrEqual(3);
  });

  it('is told with who asked for it', async () => {
    await using house = await openHouse();
    const { hash } = await house.start();
    house.layers.write('operator', 'a.cedar', GOOD);
    await house.sets.reload('user:7');
    const entries = await house.entries('policy.changed');
    expect(entries.at(-1)).toMatchObject({
      actor: 'user:7',
      payload: { cause: 'reload', previousHash: hash, mode: 'ask' },
    });
  });

  it('into something that is no directory is a problem and nothing more', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    const { hash } = await house.start();
    renameSync(house.layers.dirs.operator, house.layers.at('moved'));
    writeFileSync(house.layers.dirs.operator, '');
    expect(await house.sets.reload('user:1')).toMatchObject({
      changed: false,
      problems: [{ layer: 'operator', file: '.' }],
    });
    expect(house.inForce().set.hash).toBe(hash);
  });
});

describe('a candidate', () => {
  it('takes the place of the operator files, and changes nothing', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    const { hash } = await house.start();
    const set = await house.sets.candidate([file('b.cedar', OTHER)]);
    expect(set.files.filter(({ layer }) => layer === 'operator')).toEqual([file('b.cedar', OTHER)]);
    expect(house.inForce().set.hash).toBe(hash);
    expect(await house.sets.find(set.hash)).toEqual(set);
    expect(await house.sets.compileCandidate([file('b.cedar', BAD)])).toMatchObject({
      kind: 'refused',
    });
    await expect(house.sets.candidate([file('b.cedar', BAD)])).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      message: 'operator/b.cedar:1:38: invalid policy condition: wenn',
    });
  });

  it.each([
    ['a name that leads elsewhere', [file('../x.cedar', GOOD)]],
    ['a name twice, in capitals', [file('a.cedar', GOOD), file('A.cedar', '')]],
    ['half a character', [file('a.cedar', '// \ud800')]],
    [
      'more files than a layer',
      Array.from({ length: 129 }, (_, index) => file(`${index}.cedar`, '')),
    ],
  ])('with %s is refused, since it could not be applied', async (_name, files) => {
    await using house = await openHouse();
    await house.start();
    expect(await house.sets.compileCandidate(files)).toMatchObject({
      kind: 'refused',
      problems: [{ layer: 'operator' }],
    });
  });

  it('is found for ever once it is kept', async () => {
    await using house = await openHouse();
    await house.start();
    const set = await house.sets.candidate([file('b.cedar', OTHER)]);
    const payload = { candidateHash: set.hash };
    const entry = { kind: 'shadow.started', actor: 'user:1', payload } as const;
    await house.sets.keep(set, entry);
    await house.sets.keep(set, entry);
    await house.restart();
    expect(await house.sets.find(set.hash)).toEqual(set);
    expect(await house.sets.find('0'.repeat(64))).toBeUndefined();
  });
});

describe('an earlier set', () => {
  it('is found by its hash after it was replaced, as it was', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'a.cedar', GOOD);
    await house.start();
    const { set } = house.inForce();
    house.layers.write('operator', 'a.cedar', OTHER);
    await house.restart('auto', ['fs.read']);
    expect(house.inForce().set.hash).not.toBe(set.hash);
    expect(await house.sets.find(set.hash)).toEqual(set);
  });

  it('is not believed when the store holds other texts than its hash says', async () => {
    await using house = await openHouse();
    const { hash } = await house.start();
    const { records } = house.gateway.journal;
    const record = await records.get('policy_sets', hash);
    const files = [{ layer: 'operator', name: 'a.cedar', text: GOOD }];
    await records.transact({
      writes: [
        {
          table: 'policy_sets',
          id: hash,
          expectedVersion: record?.version ?? 0,
          body: { ...record?.body, files },
        },
      ],
      entries: [{ kind: 'shadow.stopped', actor: 'system', payload: {} }],
    });
    house.layers.write('operator', 'a.cedar', GOOD);
    await house.restart();
    expect(await house.sets.find(hash)).toBeUndefined();
  });
});

describe('an apply', () => {
  it('makes files the operator layer, in force and on the disk', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'old.cedar', GOOD);
    const { hash } = await house.start();
    const set = await house.sets.apply([file('new.cedar', OTHER)], { over: hash, actor: 'user:1' });
    expect(house.inForce().set).toEqual(set);
    expect(readdirSync(house.layers.dirs.operator)).toEqual(['new.cedar']);
    expect((await house.entries('policy.changed')).at(-1)).toMatchObject({
      actor: 'user:1',
      payload: { cause: 'apply', policySetHash: set.hash, previousHash: hash },
    });
    expect((await house.restart()).hash).toBe(set.hash);
  });

  it('of files that cannot be taken, or over other rules than are in force, writes nothing', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'old.cedar', GOOD);
    const { hash } = await house.start();
    const bad = house.sets.apply([file('new.cedar', BAD)], { over: hash, actor: 'user:1' });
    await expect(bad).rejects.toMatchObject({ code: 'POLICY_INVALID' });
    const late = house.sets.apply([file('new.cedar', OTHER)], { over: 'x', actor: 'user:1' });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readdirSync(house.layers.dirs.operator)).toEqual(['old.cedar']);
    expect(house.inForce().set.hash).toBe(hash);
  });

  it('is one at a time', async () => {
    await using house = await openHouse();
    const { hash } = await house.start();
    const change = { over: hash, actor: 'user:1' };
    const first = house.sets.apply([file('a.cedar', GOOD)], change);
    const second = house.sets.apply([file('b.cedar', OTHER)], change);
    await expect(second).rejects.toMatchObject({ code: 'CONFLICT' });
    await first;
    expect(readdirSync(house.layers.dirs.operator)).toEqual(['a.cedar']);
  });

  it('that was interrupted keeps the old rules until it is done again', async () => {
    await using house = await openHouse();
    house.layers.write('operator', 'old.cedar', GOOD);
    const { hash } = await house.start();
    house.layers.write('operator', '.applying', '');
    house.layers.write('operator', 'new.cedar', OTHER.replace('own', 'half'));
    expect((await house.restart()).hash).toBe(hash);
    expect(house.sets.problems()).toMatchObject([{ help: 'run `palyra policy apply` again' }]);
    await house.sets.apply([file('new.cedar', OTHER)], { over: hash, actor: 'user:1' });
    expect(house.sets.problems()).toEqual([]);
    expect(readdirSync(house.layers.dirs.operator)).toEqual(['new.cedar']);
  });
});

describe('what is watched', () => {
  it('may be missing, a file or unreadable: changes are found when somebody asks', async () => {
    await using house = await openHouse();
    mkdirSync(house.layers.at('config'));
    writeFileSync(house.layers.dirs.operator, '');
    await house.start();
    expect(house.inForce().set.mode).toBe('closed');
    rmSync(house.layers.dirs.operator);
    await house.sets.reload('user:1');
    expect(house.inForce().set.mode).toBe('ask');
  });
});

function file(name: string, text: string): PolicyFile {
  return { layer: 'operator', name, text };
}

function builtInHash(mode: Mode): string {
  const compiled = builtInSet(mode);
  if (compiled?.kind !== 'compiled') throw new Error(`no rules among ${builtInFiles(mode).length}`);
  return compiled.set.hash;
}
