import { create } from '@bufbuild/protobuf';
import type { RunId } from '@palyra/kernel';
import { EgressConnectionSchema } from '@palyra/protocol';
import { rememberingSandbox, talkingModel, tempHome, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { SandboxPort } from '../ports.ts';
import { ada, allowed, ask, never, say, through } from './talk.fixture.ts';

/** Whoever it runs for reaches these; the last is not let through. */
function reaching(hosts: readonly string[]): SandboxPort {
  const sandbox = rememberingSandbox();
  return {
    ...sandbox,
    execute: async (request, signal) => {
      for (const host of hosts) {
        const decision = host === hosts.at(-1) ? 'refused' : 'allowed';
        const { callId } = request;
        const connection = { callId, host, port: 443, decision, door: 'connect' };
        request.onConnection(create(EgressConnectionSchema, connection));
      }
      return await sandbox.execute(request, signal);
    },
  };
}

/** A run as a crash leaves it while its call runs: with its connections, and without a result. */
async function cutOff(home: Awaited<ReturnType<typeof tempHome>>, hosts: readonly string[]) {
  const model = talkingModel([say('I look'), ask('look')], [say('done')]);
  await using whole = await testGateway({ model, policy: allowed, sandbox: reaching(hosts) });
  const { runId, sessionId } = await through(whole, { prompt: 'go' });
  const entries = await whole.journal.page({ after: 0, limit: 200, runId });
  await using cut = await testGateway({ home });
  const end = entries.findIndex(({ kind }) => kind === 'tool.finished');
  for (const { kind, actor, payload } of entries.slice(0, end)) {
    await cut.journal.append([{ kind, actor, payload, runId, sessionId }]);
  }
  return runId;
}

async function evidenceOf(home: Awaited<ReturnType<typeof tempHome>>, runId: RunId) {
  await using test = await testGateway({ home, policy: allowed, model: talkingModel() });
  await test.gateway.runs.recover();
  await Array.fromAsync((await test.gateway.runs.resume(runId, ada)).events(never));
  const entries = await test.journal.page({ after: 0, limit: 300, runId });
  return entries.find(({ kind }) => kind === 'tool.attested')?.payload;
}

describe('the evidence of a call that a crash cut off', () => {
  it('names the hosts that it is known to have reached', async () => {
    await using home = await tempHome();
    const runId = await cutOff(home, ['b.example', 'a.example', 'b.example', 'refused.example']);
    expect(await evidenceOf(home, runId)).toMatchObject({
      egressHosts: ['a.example:443', 'b.example:443'],
      sandboxEnforcement: expect.stringContaining('unknown'),
    });
  });

  it('says when there were more than it names', async () => {
    await using home = await tempHome();
    const many = Array.from({ length: 66 }, (_, place) => `h${place}.example`);
    const evidence = await evidenceOf(home, await cutOff(home, many));
    expect(evidence).toMatchObject({ egressHostsAreCut: true });
    expect(evidence?.['egressHosts']).toHaveLength(64);
  });
});
