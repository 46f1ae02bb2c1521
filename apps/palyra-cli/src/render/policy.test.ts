import { create } from '@bufbuild/protobuf';
import {
  DecisionKind,
  PolicyGateSchema,
  PolicyLayer,
  PolicyProblemSchema,
  PolicyRuleSchema,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import {
  decisionTone,
  decisionWord,
  effectWord,
  gateWords,
  layerNamed,
  placeOf,
  printProblems,
  printRules,
} from './policy.ts';

const rule = (annotations: Record<string, string>, effect = 'forbid') =>
  create(PolicyRuleSchema, {
    id: 'no-curl',
    layer: PolicyLayer.OPERATOR,
    file: 'team.cedar',
    line: 3,
    effect,
    annotations,
  });

describe('a rule', () => {
  it.each([
    ['allows', rule({}, 'permit')],
    ['forbids', rule({ severity: 'high' })],
    ['asks', rule({ gate: 'approval' })],
    ['never', rule({ hard: '' })],
  ])('is told as one that %s', (word, told) => {
    expect(effectWord(told)).toBe(word);
  });

  it('stands on a line of the list with what it says', () => {
    const { terminal, stdout } = recordedTerminal();
    printRules(terminal, [rule({ says: 'curl is not run' })]);
    expect(stdout()).toContain('no-curl  forbids  operator/team.cedar:3  curl is not run\n');
  });

  it('cannot speak to the terminal', () => {
    const { terminal, stdout } = recordedTerminal();
    printRules(terminal, [rule({ says: 'all\u001b[2Jgone\nnext' })]);
    expect(stdout()).toContain('all\\u{001b}[2Jgone');
    expect(stdout().split('\n')).toHaveLength(3);
  });
});

describe('a problem', () => {
  const problem = (file: string, line: number) =>
    create(PolicyProblemSchema, {
      layer: PolicyLayer.WORKSPACE,
      file,
      line,
      column: line === 0 ? 0 : 7,
      reason: 'it is a `permit`',
      help: line === 0 ? '' : 'move it',
    });

  it('has a place, a reason and a way out', () => {
    const { terminal, stdout } = recordedTerminal();
    printProblems(terminal, [problem('team.cedar', 2)]);
    expect(stdout()).toBe('✗ workspace/team.cedar:2:7\n  it is a `permit`\n  try: move it\n');
  });

  it('of a whole file stands on no line', () => {
    const { terminal, stdout } = recordedTerminal();
    printProblems(terminal, [problem('/home/ada/team.cedar', 0)]);
    expect(stdout()).toBe('✗ /home/ada/team.cedar\n  it is a `permit`\n');
  });

  it('of a file that somebody named is at the path that they named', () => {
    expect(placeOf(problem('/home/ada/team.cedar', 2))).toBe('/home/ada/team.cedar:2');
  });
});

describe('words about decisions', () => {
  it.each([
    [DecisionKind.ALLOW, 'allowed', 'good'],
    [DecisionKind.NEEDS_APPROVAL, 'a person decides', 'warning'],
    [DecisionKind.DENY, 'denied', 'bad'],
    [DecisionKind.UNSPECIFIED, 'denied', 'bad'],
  ])('%i is %s', (kind, word, tone) => {
    expect([decisionWord(kind), decisionTone(kind)]).toEqual([word, tone]);
  });

  it('tell whom a gate asks', () => {
    const gate = { approvers: Role.ADMIN, quorum: 2, strength: 'passkey', waitSeconds: 3600 };
    expect(gateWords(create(PolicyGateSchema, gate))).toBe('2 admins with a passkey within 3600 s');
    const usual = { approvers: Role.OPERATOR, quorum: 1, strength: 'device', waitSeconds: 300 };
    expect(gateWords(create(PolicyGateSchema, usual))).toBe('1 operator within 300 s');
  });

  it('know the layers by their names', () => {
    expect(layerNamed('built-in')).toBe(PolicyLayer.BUILT_IN);
    expect(layerNamed('Operator')).toBeUndefined();
  });
});
