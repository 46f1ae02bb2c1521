import { create } from '@bufbuild/protobuf';
import { DecisionKind, PolicyExplanationSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { asRecorded } from './as-recorded.ts';

const WAITS = create(PolicyExplanationSchema, {
  kind: DecisionKind.NEEDS_APPROVAL,
  reason: '`programs-ask` wants `process.run` approved',
  help: 'it waits for an operator; the smallest rule would spare just this call the question',
  smallestRule: 'permit (…);',
  smallestRuleEffect: 'spares the question',
});
const ALLOWS = create(PolicyExplanationSchema, {
  kind: DecisionKind.ALLOW,
  reason: '`looking-around` allows `fs.read`',
});

const { DENY } = DecisionKind;

describe('what is told of a recorded decision', () => {
  it.each([
    ['nobody answered in time', WAITS],
    ['a person said no', WAITS],
    ['the rules took longer than 250 ms for `fs.read`, so it is denied', ALLOWS],
    ['the run was cancelled before the call could start', ALLOWS],
  ])('begins with what was decided: %s', (reason, explanation) => {
    const told = asRecorded(explanation, { kind: DENY, reason, help: '' });
    expect(told.kind).toBe(DENY);
    expect(told.reason).toBe(`${reason}; the rules by themselves: ${explanation.reason}`);
    expect(told.help).not.toContain('it waits for');
  });

  it('has a way out also where nobody answered and no rule can be offered', () => {
    const unanswered = { kind: DENY, reason: 'nobody answered in time', help: '' };
    const told = asRecorded({ ...WAITS, smallestRule: '' }, unanswered);
    expect(told.help).toBe(
      'have it tried again, and approved while it waits: `palyra approvals watch` tells when',
    );
    expect(asRecorded(WAITS, unanswered).help).toMatch(/tells when; the smallest rule spares/);
  });

  it('has the way out of that day, and the smallest rule of the rules', () => {
    const recorded = { kind: DENY, reason: 'nobody answered in time', help: 'ask again' };
    expect(asRecorded(WAITS, recorded)).toMatchObject({
      help: 'ask again; the smallest rule spares the question',
      smallestRule: WAITS.smallestRule,
    });
  });

  it('is what the rules say when nobody else had a part in it', () => {
    const { kind, reason } = ALLOWS;
    expect(asRecorded(ALLOWS, { kind, reason, help: '' })).toBe(ALLOWS);
  });
});
