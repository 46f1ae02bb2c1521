import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { DecisionKind, PolicyExplanationSchema, PolicyLayer, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printExplanation } from './explanation.ts';

function shown(explanation: MessageInitShape<typeof PolicyExplanationSchema>): string {
  const { terminal, stdout } = recordedTerminal();
  printExplanation(terminal, create(PolicyExplanationSchema, explanation));
  return stdout();
}

const question = {
  principal: { type: 'User', id: '01U' },
  action: 'tool.execute',
  resource: { type: 'Tool', id: 'process.run' },
  context: {
    channel: { type: 'Channel', id: 'cli' },
    unattended: false,
    skill: '',
    secrets: [],
    taint: [{ type: 'Taint', id: 'web' }],
    bodyBytes: 0,
    process: { commandLine: 'git status', arguments: ['status'] },
  },
  entities: [
    {
      uid: { type: 'User', id: '01U' },
      attrs: { name: 'Ada' },
      parents: [{ type: 'Role', id: 'operator' }],
    },
    {
      uid: { type: 'Tool', id: 'process.run' },
      attrs: { risk: { type: 'Risk', id: 'high' }, capabilities: [] },
    },
    { uid: { type: 'User', id: '01V' }, attrs: { name: 'Bob' } },
  ],
};

describe('an explanation', () => {
  it('begins with the decision and its reason', () => {
    const text = shown({ kind: DecisionKind.DENY, reason: 'no rule allows `process.run`' });
    expect(text).toMatch(/^denied: no rule allows `process\.run`\n/);
  });

  it('of a call that no rule was asked about has neither an empty place nor a comma without a word', () => {
    const missing = ['the call never reached the rules: they could not be asked about it'];
    const text = shown({ kind: DecisionKind.DENY, reason: 'no path', missing, engine: 'cedar 4' });
    expect(text).toBe(
      [
        'denied: no path',
        '',
        'missing',
        '  – the call never reached the rules: they could not be asked about it',
        'cedar 4',
        '',
      ].join('\n'),
    );
    expect(shown({ kind: DecisionKind.DENY, reason: 'no path' })).toBe('denied: no path\n');
  });

  it('does not say of what is denied that somebody must say yes, or that a permit decided it', () => {
    const gates = [{ ruleId: 'asks', severity: 'high', approvers: Role.OPERATOR, quorum: 1 }];
    const rules = [{ id: 'reading', layer: PolicyLayer.BUILT_IN, effect: 'permit' }];
    const text = shown({ kind: DecisionKind.DENY, reason: 'nobody answered', gates, rules });
    expect(text).toContain('who had to say yes');
    expect(text).toContain('rules that would have let it through');
    expect(text).not.toContain('rules that decided');
  });

  it('shows what the rules saw as a rule would write it, without what is empty', () => {
    const text = shown({ kind: DecisionKind.ALLOW, request: question });
    expect(text).toContain(
      '  who   User::"01U"\n  does  tool.execute\n  with  Tool::"process.run"\n',
    );
    expect(text).toMatch(/context\.channel +Channel::"cli"\n/);
    expect(text).toMatch(/context\.taint +\[Taint::"web"\]\n/);
    expect(text).toMatch(/context\.bodyBytes +0\n/);
    expect(text).toMatch(/context\.process\.commandLine +"git status"\n/);
    expect(text).toMatch(/context\.process\.arguments +\["status"\]\n/);
    expect(text).not.toMatch(/context\.(?:skill|secrets|unattended)/);
  });

  it('shows what the rules knew of who asks, of what it is about, and of whoever else', () => {
    const text = shown({ kind: DecisionKind.ALLOW, request: question });
    expect(text).toMatch(/principal in +\[Role::"operator"\]\n/);
    expect(text).toMatch(/principal\.name +"Ada"\n/);
    expect(text).toMatch(/resource\.risk +Risk::"high"\n/);
    expect(text).toMatch(/User::"01V"\.name +"Bob"\n/);
    expect(text).not.toContain('resource.capabilities');
  });

  it('names whoever must say yes, the rules, and the smallest rule that changes it', () => {
    const rule = {
      id: 'running-programs-asks',
      layer: PolicyLayer.BUILT_IN,
      file: 'sensitive-capabilities-ask.cedar',
      line: 2,
      effect: 'forbid',
      annotations: { gate: 'approval', says: 'a program is to be run' },
    };
    const gate = {
      ruleId: rule.id,
      severity: 'high',
      approvers: Role.OPERATOR,
      quorum: 1,
      strength: 'device',
      waitSeconds: 300,
    };
    const text = shown({
      kind: DecisionKind.NEEDS_APPROVAL,
      rules: [rule],
      gates: [gate],
      smallestRule: '@id("a")\npermit (principal, action, resource);\n',
      smallestRuleEffect: 'spares the question',
      policySetHash: '45cb3c594ece39598e5ac741',
      engine: 'cedar 4.13.0',
    });
    expect(text).toContain('  – running-programs-asks (high): 1 operator within 300 s\n');
    expect(text).toContain(
      '  running-programs-asks asks  built-in/sensitive-capabilities-ask.cedar:2\n',
    );
    expect(text).toContain('    a program is to be run\n');
    expect(text).toContain('changes this: spares the question\n  @id("a")\n  permit (');
    expect(text).toMatch(/\nset 45cb3c594ece, cedar 4\.13\.0\n$/);
  });

  it('tells what is missing and what went wrong, and how to go on', () => {
    const missing = ['the channel is `api`'];
    const text = shown({ missing, errors: ['a rule failed'], help: 'add a rule' });
    expect(text).toContain('\nmissing\n  – the channel is `api`\n');
    expect(text).toContain('\nerrors\n  – a rule failed\n');
    expect(text).toContain('\ntry: add a rule\n');
  });

  it('lets nothing in a call speak to the terminal', () => {
    const context = { process: { commandLine: 'git\u001b]0;x\u0007' } };
    const text = shown({ reason: 'a\u001b[2J', request: { ...question, context } });
    expect(Array.from(text).filter((letter) => letter < ' ' && letter !== '\n')).toEqual([]);
  });
});
