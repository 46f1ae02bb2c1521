import { DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { PolicyRequest } from '../model.ts';
import { callOf, requestOf } from '../request/call.fixture.ts';
import { decide } from './decide.ts';
import { createDecider } from './decider.ts';
import { createEngine } from './engine.ts';
import type { LoadedSet } from './loaded-set.ts';
import { ruleSetOf } from './rule-set.fixture.ts';

const ENGINE = createEngine();
const PERMIT = '@id("permit") permit (principal, action == Action::"tool.execute", resource);';
const GATE = `@id("gate") @gate("approval") forbid (principal, action == Action::"tool.execute", resource)
  unless { context.unattended || (context has approval && context.approval.count >= 1) };`;
const LIFT = '@id("lift") permit (principal, action == Action::"tool.unattended", resource);';
const OF_RUN =
  'forbid (principal, action == Action::"tool.execute", resource) when { context.run == "run-9" };';
const OF_ALL =
  'forbid (principal, action == Action::"tool.execute", resource) when { context != context };';
const BROKEN =
  'forbid (principal, action == Action::"tool.execute", resource) when { context.http.port == 1 };';

async function loadOf(text: string): Promise<LoadedSet> {
  return ENGINE.load(await ruleSetOf(text), 'active');
}

function ofRun(run: string): PolicyRequest {
  const request = requestOf();
  return { ...request, context: { ...request.context, run } };
}

/** Counts how often Cedar is really asked. */
function counted(loaded: LoadedSet) {
  let count = 0;
  const evaluate = (request: PolicyRequest) => {
    count += 1;
    return loaded.evaluate(request);
  };
  return { loaded: { set: loaded.set, evaluate }, asked: () => count };
}

describe('a decider', () => {
  it('denies before any set is in force', () => {
    expect(createDecider().decide(requestOf())).toMatchObject({
      kind: DecisionKind.DENY,
      errors: ['no set of rules is in force'],
      setHash: '',
    });
  });

  it.each([
    ['allowed', PERMIT],
    ['denied', ''],
    ['gated', PERMIT + GATE],
    ['unattended', PERMIT + GATE + LIFT],
  ])(
    'asks once for the same call, and its second answer is like a fresh one: %s',
    async (_name, text) => {
      const { loaded, asked } = counted(await loadOf(text));
      const decider = createDecider();
      decider.use(loaded);
      decider.decide(requestOf());
      const before = asked();
      expect(decider.decide(requestOf())).toEqual(decide(loaded, requestOf()));
      expect(decider.decide(requestOf())).toEqual(decide(loaded, requestOf()));
      expect(asked()).toBe(before * 3);
    },
  );

  it.each([
    ['no permit is about it', '', 2],
    ['one names it', 'permit (principal, action == Action::"tool.unattended", resource);', 4],
    ['one lists it', 'permit (principal, action in [Action::"tool.unattended"], resource);', 4],
    ['one is about its group', 'permit (principal, action in Action::"act", resource);', 4],
    ['one is about all', 'permit (principal, action, resource);', 4],
    [
      'one never holds',
      'permit (principal, action, resource) when { context.session == "other" };',
      3,
    ],
  ])('asks whether nobody need be asked where a rule could say so: %s', async (_, rule, times) => {
    const { loaded, asked } = counted(await loadOf(PERMIT + GATE + rule));
    const { kind } = decide(loaded, requestOf());
    expect(kind).toBe(times === 4 ? DecisionKind.ALLOW : DecisionKind.NEEDS_APPROVAL);
    expect(asked()).toBe(times);
  });

  it('asks again for anything else', async () => {
    const { loaded, asked } = counted(await loadOf(PERMIT));
    const decider = createDecider();
    decider.use(loaded);
    const calls = [callOf(), callOf({ reads: ['a'] }), { ...callOf(), channel: 'api' }];
    for (const call of calls) decider.decide(requestOf(call));
    expect(asked()).toBe(3);
  });

  it.each([
    ['no rule reads it', PERMIT + GATE, 0],
    ['a rule reads it', `${PERMIT}${GATE} ${OF_RUN}`, 2],
    ['a rule takes the context as a whole', `${PERMIT}${GATE} ${OF_ALL}`, 2],
  ])('asks again for the same call of another run only where %s', async (_, text, times) => {
    const { loaded, asked } = counted(await loadOf(text));
    const decider = createDecider();
    decider.use(loaded);
    const [one, other] = ['run-1', 'run-2'].map(ofRun);
    if (one === undefined || other === undefined) throw new Error('no requests');
    decider.decide(one);
    const before = asked();
    const decision = decider.decide(other);
    expect(asked()).toBe(before + times);
    expect(decision).toEqual(decide(loaded, other));
    expect(decision.request.context['run']).toBe('run-2');
  });

  it('remembers what could not be evaluated for that very request alone', async () => {
    const { loaded, asked } = counted(await loadOf(PERMIT + BROKEN));
    const decider = createDecider();
    decider.use(loaded);
    for (const run of ['run-1', 'run-1', 'run-2']) {
      expect(decider.decide(ofRun(run)).errors).toHaveLength(1);
    }
    expect(asked()).toBe(2);
  });

  it('forgets everything with the next set', async () => {
    const decider = createDecider();
    decider.use(await loadOf(PERMIT));
    expect(decider.decide(requestOf()).kind).toBe(DecisionKind.ALLOW);
    decider.use(await loadOf(''));
    expect(decider.decide(requestOf()).kind).toBe(DecisionKind.DENY);
  });

  it('denies when another set was loaded in the place of its own', async () => {
    const decider = createDecider();
    const overwritten = await loadOf(PERMIT);
    await loadOf(PERMIT);
    await loadOf(PERMIT);
    decider.use(overwritten);
    expect(decider.decide(requestOf())).toMatchObject({
      kind: DecisionKind.DENY,
      errors: ['another set of rules was loaded in the place of this one'],
    });
  });

  it('gives what json would leave out no share in the answer to what is the same without it', async () => {
    const decider = createDecider();
    decider.use(await loadOf(PERMIT));
    const request = requestOf();
    expect(decider.decide(request).kind).toBe(DecisionKind.ALLOW);
    const context = Object.assign({ ...request.context }, { process: undefined });
    expect(decider.decide({ ...request, context }).kind).toBe(DecisionKind.DENY);
  });
});
