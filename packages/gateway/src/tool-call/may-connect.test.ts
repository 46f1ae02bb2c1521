import { create } from '@bufbuild/protobuf';
import { PalyraError, createIds, systemClock } from '@palyra/kernel';
import { PolicyRequestSchema, ToolDecisionSchema } from '@palyra/protocol';
import { policyThatSays, quietLog } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { JudgedConnection, PolicyPort } from '../ports.ts';
import { mayConnect } from './may-connect.ts';

const TO = { host: 'site.example', port: 443, leadsTo: [{ range: 'public', isListed: false }] };
const asked = create(PolicyRequestSchema, { action: 'tool.execute' });
const ids = createIds(systemClock());
const run = {
  runId: ids.next<'run'>(),
  sessionId: ids.next<'session'>(),
  principal: 'user:ada',
  channel: 'cli',
  deviceId: 'laptop',
  model: 'talking',
  workspace: '/workspace',
};

function asking(
  answer: PolicyPort['mayConnect'],
  decision = create(ToolDecisionSchema, { asked }),
) {
  const policy = { ...policyThatSays({}), mayConnect: answer };
  return mayConnect(TO, { decision, run, parts: { policy, log: quietLog() } });
}

describe('a call that wants to connect', () => {
  it.each([true, false])('may when the rules say %s', async (isAllowed) => {
    const judged: JudgedConnection[] = [];
    const answer = await asking(async (connection) => {
      judged.push(connection);
      return isAllowed;
    });
    expect(answer).toBe(isAllowed);
    const behind = { principal: 'user:ada', actor: 'agent', channel: 'cli', deviceId: 'laptop' };
    expect(judged).toEqual([{ behind, asked, to: TO }]);
  });

  it('may not when the rules cannot be asked', async () => {
    const gone = new PalyraError('POLICY_DENIED', 'there are no rules');
    expect(await asking(() => Promise.reject(gone))).toBe(false);
  });

  it('may not when nobody knows what the rules were asked about the call', async () => {
    expect(await asking(async () => true, create(ToolDecisionSchema, {}))).toBe(false);
  });
});
