import { type CallId, createIds, parseId, systemClock, permissionsOf } from '@palyra/kernel';
import { PrincipalKind, type RunEvent, Role } from '@palyra/protocol';
import { talkingModel, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada',
  channel: 'cli',
} as const;
const never = new AbortController().signal;
const ask = (tool: string) => ({ kind: 'tool-call', tool, argumentsJson: '{}' }) as const;

function callsIn(events: readonly RunEvent[]): readonly CallId[] {
  return events.flatMap(({ event }) => {
    const callId = event.case === 'toolAttested' ? parseId<'call'>(event.value.callId) : undefined;
    return callId === undefined ? [] : [callId];
  });
}

it('every call is found by its id alone, among the calls of other runs', async () => {
  const model = talkingModel([ask('one'), ask('two')], [ask('three')], []);
  await using test = await testGateway({ model });
  const start = async () => {
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    return { runId: run.runId, calls: callsIn(await Array.fromAsync(run.events(never))) };
  };
  const runs = await Promise.all([start(), start(), start()]);
  expect(runs.flatMap(({ calls }) => calls)).toHaveLength(9);
  for (const { runId, calls } of runs) {
    for (const callId of calls) {
      const { attestation, entry, envelope } = await test.gateway.attestationOf(callId, ada);
      expect(attestation).toMatchObject({ callId, runId });
      expect(entry).toMatchObject({ kind: 'tool.attested', payload: { callId } });
      expect(new TextDecoder().decode(envelope)).toContain('"payloadType"');
    }
  }
});

it('a call that nobody made has no attestation', async () => {
  await using test = await testGateway();
  const callId = createIds(systemClock()).next<'call'>();
  await expect(test.gateway.attestationOf(callId, ada)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
