import { DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { commandAt } from '../../soak/calls.ts';
import { helpOf, reasonOf } from '../explain/reason.ts';
import { MAX_PATTERN } from '../sets/limits.ts';
import { createDecider } from './decider.ts';
import { createEngine } from './engine.ts';
import { ruleSetOf } from './rule-set.fixture.ts';
import { MAX_EVALUATION_MS, type SlowEvaluation } from './stopwatch.ts';

const PERMIT = '@id("permit") permit (principal, action == Action::"tool.execute", resource);';
const GATE = `@id("gate") @gate("approval") forbid (principal, action == Action::"tool.execute", resource)
  unless { context.unattended || (context has approval && context.approval.count >= 1) };`;

/** As slow as rules can be made: each compares all of a long command line, character for character. */
const SLOW = `@id("slow") forbid (principal, action == Action::"tool.execute", resource)
  when { context has process && context.process.commandLine like "*${'a'.repeat(MAX_PATTERN - 1)}b" };`;
const LONG = commandAt({ at: 1, command: ['git', 'a'.repeat(15_000)] });

/** An evaluation takes as long as `took` says, one after the other; the last one for ever. */
async function house(rules: string, took: readonly number[]) {
  const slow: SlowEvaluation[] = [];
  let now = 0;
  let readings = 0;
  const stopwatch = () => {
    const evaluation = Math.floor(readings / 2);
    if (readings % 2 === 1) now += took[Math.min(evaluation, took.length - 1)] ?? 0;
    readings += 1;
    return now;
  };
  const engine = createEngine({ stopwatch, tellSlow: (told) => slow.push(told) });
  const loaded = await engine.load(await ruleSetOf(rules), 'active');
  const decider = createDecider();
  decider.use(loaded);
  return { decider, slow, hash: loaded.set.hash };
}

/** The engine asks once by itself when a set is loaded. */
const WARM = 0;

describe('an evaluation that takes too long', () => {
  it('is a denial with a reason of its own, although the rules allow it, and is told', async () => {
    const { decider, slow, hash } = await house(PERMIT + SLOW, [WARM, MAX_EVALUATION_MS + 1]);
    const decision = decider.decide(LONG);
    expect(decision).toMatchObject({
      kind: DecisionKind.DENY,
      rules: [],
      errors: ['the rules took longer than 250 ms'],
      fault: 'slow',
      setHash: hash,
    });
    expect(reasonOf(decision)).toBe(
      'the rules took longer than 250 ms for `process.run`, so it is denied',
    );
    expect(helpOf(decision)).toContain('make the rules fewer or simpler');
    expect(slow).toEqual([
      { policySetHash: hash, action: 'tool.execute', resource: 'process.run', tookMs: 251 },
    ]);
  });

  it('is what the rules say when it takes just as long as it may', async () => {
    const { decider, slow } = await house(PERMIT + SLOW, [WARM, MAX_EVALUATION_MS]);
    expect(decider.decide(LONG).kind).toBe(DecisionKind.ALLOW);
    expect(slow).toEqual([]);
  });

  it('denies as well when it is the trial of an approval', async () => {
    const { decider } = await house(PERMIT + GATE, [WARM, 1, MAX_EVALUATION_MS + 1]);
    expect(decider.decide(LONG)).toMatchObject({ kind: DecisionKind.DENY, fault: 'slow' });
  });

  it('spares no question', async () => {
    const lift = '@id("lift") permit (principal, action == Action::"tool.unattended", resource);';
    const { decider } = await house(PERMIT + GATE + lift, [WARM, 1, 1, MAX_EVALUATION_MS + 1]);
    expect(decider.decide(LONG).kind).toBe(DecisionKind.NEEDS_APPROVAL);
  });

  it('is not made again for the same call', async () => {
    const { decider, slow } = await house(PERMIT + SLOW, [WARM, MAX_EVALUATION_MS + 1, 1]);
    decider.decide(LONG);
    expect(decider.decide(LONG)).toMatchObject({ kind: DecisionKind.DENY, fault: 'slow' });
    expect(slow).toHaveLength(1);
  });
});
