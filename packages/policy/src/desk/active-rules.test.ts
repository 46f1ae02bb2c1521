import { type Log, PalyraError } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { type Engine, createEngine } from '../engine/engine.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import type { PolicyRequest, RuleSet } from '../model.ts';
import { ActiveRules } from './active-rules.ts';

const OPEN = '@id("open") @says("Everybody may look.") permit (principal, action, resource);';
const CLOSED = '@id("closed") @says("Nobody may look.") forbid (principal, action, resource);';

const REQUEST: PolicyRequest = {
  principal: { type: 'User', id: 'ada' },
  action: 'status.read',
  resource: { type: 'Gateway', id: 'gateway' },
  context: {
    channel: { type: 'Channel', id: 'cli' },
    device: '',
    permission: 'status.read',
    time: { date: '2026-11-16', weekday: 1, hour: 0, minute: 0 },
  },
  entities: [{ uid: { type: 'User', id: 'ada' }, attrs: { name: 'ada' }, parents: [] }],
};

function rulesOn(engine: Engine, inForce: () => RuleSet | undefined) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const log: Log = { debug: say, info: say, warn: say, error: say, with: () => log };
  return { lines, rules: new ActiveRules({ engine, inForce, log }) };
}

describe('the rules in force', () => {
  it('are loaded once for all who ask at the same time', async () => {
    const set = await ruleSetOf(OPEN);
    const engine = createEngine();
    let loads = 0;
    const counting: Engine = {
      ...engine,
      load: (...args) => {
        loads += 1;
        return engine.load(...args);
      },
    };
    const { rules } = rulesOn(counting, () => set);
    expect(rules.ready).toBeUndefined();
    const deciders = await Promise.all([1, 2, 3].map(() => rules.decider()));
    expect(loads).toBe(1);
    expect(new Set(deciders).size).toBe(1);
    expect(rules.ready).toBe(deciders[0]);
    expect(deciders[0]?.decide(REQUEST).kind).toBe(DecisionKind.ALLOW);
  });

  it('are those of the new set as soon as it is in force', async () => {
    let set = await ruleSetOf(OPEN);
    const { rules } = rulesOn(createEngine(), () => set);
    const before = await rules.decider();
    set = await ruleSetOf(CLOSED);
    expect(rules.ready).toBeUndefined();
    const after = await rules.decider();
    expect(after).not.toBe(before);
    expect(after.decide(REQUEST)).toMatchObject({ kind: DecisionKind.DENY, setHash: set.hash });
  });

  it('are those of the set that came while another was being loaded', async () => {
    const [open, closed] = [await ruleSetOf(OPEN), await ruleSetOf(CLOSED)];
    let set = open;
    const { rules } = rulesOn(createEngine(), () => set);
    const asked = rules.decider();
    set = closed;
    expect((await asked).decide(REQUEST).setHash).toBe(closed.hash);
  });

  it('deny while they cannot be loaded, and are tried again', async () => {
    const set = await ruleSetOf(OPEN);
    const engine = createEngine();
    let isBroken = true;
    const { rules, lines } = rulesOn(
      {
        ...engine,
        load: (...args) =>
          isBroken
            ? Promise.reject(new PalyraError('UNEXPECTED', 'no memory'))
            : engine.load(...args),
      },
      () => set,
    );
    await expect(rules.decider()).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(lines).toEqual(['the rules could not be loaded, everything is denied']);
    isBroken = false;
    expect((await rules.decider()).decide(REQUEST).kind).toBe(DecisionKind.ALLOW);
  });

  it('deny before there are any', async () => {
    const { rules } = rulesOn(createEngine(), () => undefined);
    expect(rules.ready).toBeUndefined();
    await expect(rules.decider()).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  });
});
