import { DecisionKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { GateTerms, PolicyDecision, Rule } from '../model.ts';
import { call } from './explain.fixture.ts';
import { helpOf, reasonOf } from './reason.ts';

const FORBID: Rule = {
  id: 'no-pushing',
  layer: 'operator',
  file: 'team.cedar',
  line: 4,
  effect: 'forbid',
  text: '',
  annotations: { says: 'nobody pushes' },
  json: {
    effect: 'forbid',
    principal: { op: 'All' },
    action: { op: 'All' },
    resource: { op: 'All' },
    conditions: [],
  },
  isHard: false,
};

function gate(terms: Partial<GateTerms>): Rule {
  const usual = { severity: 'low', approvers: Role.OPERATOR, quorum: 1 } as const;
  return { ...FORBID, gate: { ...usual, strength: 'device', waitSeconds: 300, ...terms } };
}

/** Looks at what a rule on `tool.unattended` changes. */
function spared(terms: Partial<GateTerms>): Rule {
  const body = { '.': { left: { Var: 'context' }, attr: 'unattended' } } as const;
  const { json, ...others } = gate(terms);
  return { ...others, json: { ...json, conditions: [{ kind: 'unless', body }] } };
}

function denied(rules: readonly Rule[], errors: readonly string[] = []): PolicyDecision {
  const request = call();
  return { kind: DecisionKind.DENY, rules, gates: [], errors, request, setHash: '' };
}

describe('the reason of a denial', () => {
  it('names the rule, its place and what it says', () => {
    expect(reasonOf(denied([FORBID]))).toBe(
      'rule `no-pushing` (team.cedar:4) forbids `process.run`: `nobody pushes`',
    );
  });

  it('is the rule that is hardest to move, whichever comes first', () => {
    const readOnly: Rule = {
      ...FORBID,
      id: 'ro',
      layer: 'built-in',
      file: 'modes/read-only.cedar',
    };
    const hard: Rule = { ...FORBID, id: 'hard', layer: 'built-in', isHard: true };
    expect(reasonOf(denied([FORBID, gate({}), readOnly]))).toBe(
      'the gateway is in mode `read-only`: rule `ro` (modes/read-only.cedar:4) forbids `process.run`',
    );
    expect(reasonOf(denied([FORBID, readOnly, hard]))).toMatch(/^rule `hard` .* for good/);
  });

  it('is one line, whatever the names in it hold', () => {
    const request = call({ tool: 'a`\n\u202eb'.repeat(100) });
    const reason = reasonOf({ ...denied([]), request });
    expect(reason).not.toMatch(/[\n\u202e]/);
    expect(reason.length).toBeLessThan(2500);
  });

  it('of an error does not blame a rule', () => {
    expect(reasonOf(denied([FORBID], ['x']))).toBe(
      'the rules could not be evaluated for `process.run`, so it is denied',
    );
  });

  it('of gates that no approval opens says so', () => {
    expect(reasonOf(denied([gate({})]))).toMatch(/^no approval lifts what forbids `process.run`/);
  });
});

describe('the help of a decision', () => {
  it('names the strictest of all that the gates ask for', () => {
    const gates = [
      spared({ quorum: 2 }),
      spared({ approvers: Role.ADMIN }),
      spared({ strength: 'passkey' }),
    ];
    const kind = DecisionKind.NEEDS_APPROVAL;
    expect(helpOf({ ...denied(gates), kind, gates })).toBe(
      'it waits for 2 admins with a passkey; a rule on `tool.unattended` would spare the question',
    );
  });

  it('promises no rule that would spare a question which is always asked', () => {
    const gates = [spared({}), { ...gate({ approvers: Role.ADMIN }), id: 'always-asks' }];
    const kind = DecisionKind.NEEDS_APPROVAL;
    const waiting = { ...denied(gates), kind, gates };
    const help =
      'it waits for 1 admin: rule `always-asks` (team.cedar:4) cannot be spared, only its approvers can say yes';
    expect(helpOf(waiting)).toBe(help);
    const request = { ...call(), action: 'vault.get' };
    expect(helpOf({ ...waiting, request })).not.toContain('tool.unattended');
  });

  it('promises nobody who could approve a connection, which waits for no answer', () => {
    const gates = [gate({ approvers: Role.ADMIN })];
    const request = { ...call(), action: 'host.connect' };
    expect(helpOf({ ...denied(gates), kind: DecisionKind.NEEDS_APPROVAL, gates, request })).toBe(
      'nobody is asked while a connection is made: have the rule ask about the call that names the host, too',
    );
  });

  it('says whose the rule is', () => {
    expect(helpOf(denied([{ ...FORBID, layer: 'workspace' }]))).toBe(
      "only a change of that rule lifts it: it stands in `team.cedar`, which is the workspace's",
    );
  });

  it('promises no rule for a tool that does not exist', () => {
    const request = call({ tool: 'mail.send', source: 'unknown' });
    expect(helpOf({ ...denied([]), request })).toBe(
      'no such tool exists here, so there is no rule that could allow it',
    );
  });

  it('is empty for what is allowed', () => {
    expect(helpOf({ ...denied([]), kind: DecisionKind.ALLOW })).toBe('');
  });
});
