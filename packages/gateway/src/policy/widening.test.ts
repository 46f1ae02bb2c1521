import { create } from '@bufbuild/protobuf';
import { GainKind, PolicyDifferenceSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { refuseWidening } from './widening.ts';

const gain = (what: string, kind: GainKind = GainKind.TOOL) => ({
  kind,
  principal: 'operator',
  what,
});

describe('a change of the rules', () => {
  it('is let through when nobody gains', () => {
    const losses = [gain('process.run')];
    expect(() => refuseWidening(create(PolicyDifferenceSchema, { losses }))).not.toThrow();
  });

  it('is refused with the first gains by name and the number of the others', () => {
    const gains = [
      gain('process.run'),
      gain('ask-before-writing', GainKind.GATE_REMOVED),
      gain('example.org', GainKind.HOST),
      gain('a'),
      gain('b'),
    ];
    expect(() => refuseWidening(create(PolicyDifferenceSchema, { gains }))).toThrow(
      expect.objectContaining({
        code: 'POLICY_WIDENED',
        message:
          'this would allow more: the tool `process.run` for operator, no question asked by `ask-before-writing` for operator, the host `example.org` for operator, and 2 more',
      }),
    );
  });

  it('is refused when it may allow more and nobody can tell', () => {
    const gains = [{ kind: GainKind.POSSIBLE, what: 'team-rule' }];
    expect(() => refuseWidening(create(PolicyDifferenceSchema, { gains }))).toThrow(
      'perhaps more by the rule `team-rule`',
    );
  });
});
