import { toJson } from '@bufbuild/protobuf';
import { DecisionKind, PolicyExplanationSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { RULES, call, explainCall, git, load } from './explain.fixture.ts';
import { toMessage } from './explanation.ts';

describe('an explanation on the wire', () => {
  it('says the same', async () => {
    const explanation = await explainCall(await load(RULES), call({ context: git('status') }));
    const message = toMessage(explanation);
    expect(message).toMatchObject({
      kind: DecisionKind.NEEDS_APPROVAL,
      reason: explanation.reason,
      help: explanation.help,
      missing: explanation.missing,
      smallestRule: explanation.smallestRule,
      smallestRuleEffect: 'spares the question',
      policySetHash: explanation.policySetHash,
      engine: 'cedar 4.13.0',
    });
    expect(toJson(PolicyExplanationSchema, message)).toMatchObject({
      rules: [{ id: 'programs-ask', layer: 'POLICY_LAYER_OPERATOR', effect: 'forbid', line: 1 }],
      gates: [
        {
          ruleId: 'programs-ask',
          severity: 'medium',
          approvers: 'ROLE_ADMIN',
          quorum: 1,
          strength: 'device',
          waitSeconds: 300,
          says: 'a program is to be run',
        },
      ],
      request: {
        principal: { type: 'User', id: 'user:anna' },
        action: 'tool.execute',
        context: { channel: { type: 'Channel', id: 'cli' } },
        entities: [{ attrs: { name: 'Anna' } }, { attrs: { source: 'built-in' } }],
      },
    });
  });
});
