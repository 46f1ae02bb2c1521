import { describe, expect, it } from 'vitest';
import { talkingModel } from './fakes.ts';
import { inProcessClient } from './in-process-client.ts';
import { testGateway } from './test-gateway.ts';

describe('the in-process client', () => {
  it('streams a run and names faults as a client over a socket does', async () => {
    await using test = await testGateway({ model: talkingModel([{ kind: 'text', text: 'hi' }]) });
    const client = inProcessClient(test.gateway);
    const events = await Array.fromAsync(client.runs.startRun({ prompt: 'hello' }));
    expect(events.at(-1)?.event.case).toBe('runEnded');
    expect((await client.approvals.listApprovals({})).approvals).toEqual([]);
  });
});
