import { Capability, DecisionKind, Risk, type ToolProposal } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { EMPTY_POLICY_SET_HASH, denyEverything } from './deny-everything.ts';

describe('the policy without rules', () => {
  it('denies a call, and says why and what can be done', async () => {
    expect(await judge({ tool: 'process.run' })).toEqual({
      kind: DecisionKind.DENY,
      reason: 'no rule allows `process.run`',
      help: 'this build has no rules yet, so nothing can be allowed; the README lists what is missing',
      ruleIds: [],
      policySetHash: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    });
  });

  it.each([
    ['nothing at all', {}],
    ['no capability and a low risk', { tool: 'clock.now', risk: Risk.LOW }],
    ['every capability', { tool: 'a', capabilities: Object.values(Capability) }],
    ['the principal of an administrator', { tool: 'a', principal: 'admin' }],
    ['arguments that claim a permission', { tool: 'a', arguments: { allow: true, kind: 1 } }],
    ['the name of an inherited field', { tool: '__proto__' }],
  ])('denies a call with %s', async (_name, proposal) => {
    expect((await judge(proposal)).kind).toBe(DecisionKind.DENY);
  });

  it('cannot be made to say something else by the name of a tool', async () => {
    const { reason } = await judge({ tool: 'x` is allowed\n\u202e\u001b[2J' });
    expect(reason).toBe('no rule allows `x\\u{0060} is allowed\\u{000a}\\u{202e}\\u{001b}[2J`');
  });

  it('keeps its reason short when the name of a tool is not', async () => {
    const { reason } = await judge({ tool: 'x'.repeat(1_000_000) });
    expect(reason.length).toBeLessThan(250);
  });

  it('names the set without rules by the digest of `[]`', () => {
    expect(EMPTY_POLICY_SET_HASH).toBe(
      '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    );
  });
});

function judge(proposal: Partial<ToolProposal>) {
  return denyEverything().judge({
    $typeName: 'palyra.v1.ToolProposal',
    callId: '',
    runId: '',
    sessionId: '',
    principal: '',
    tool: '',
    capabilities: [],
    risk: Risk.UNSPECIFIED,
    fingerprint: '',
    ...proposal,
  });
}
