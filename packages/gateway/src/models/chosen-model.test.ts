import { permissionsOf } from '@palyra/kernel';
import { PrincipalKind, type RunEvent, RunStatus, Role } from '@palyra/protocol';
import { talkingModel, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelPort, ModelRequest } from './model-port.ts';
import { sameModel } from './chosen-model.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const never = new AbortController().signal;

/** Two models may be chosen; each request is remembered. */
function twoModels(...script: readonly (readonly ModelEvent[])[]) {
  const talking = talkingModel(...script);
  const requests: ModelRequest[] = [];
  const model: ModelPort = {
    ...talking,
    name: 'openai:a',
    choose: (name) => {
      const choices = ['openai:a', 'openai:b'];
      const chosen = name === '' ? 'openai:a' : choices.find((each) => each === name);
      return chosen === undefined ? { kind: 'unknown', choices } : { kind: 'chosen', name: chosen };
    },
    reply: (request, signal) => {
      requests.push({ ...request, conversation: [...request.conversation] });
      return talking.reply(request, signal);
    },
  };
  return { model, requests };
}

function startedWith(events: readonly RunEvent[]): string | undefined {
  const [first] = events.flatMap(({ event }) => (event.case === 'runStarted' ? [event.value] : []));
  return first?.model;
}

describe('the model of a run', () => {
  it.each([
    ['', 'openai:a'],
    ['openai:b', 'openai:b'],
  ])('asked for by %j is %s, on record and on the wire', async (asked, name) => {
    const { model, requests } = twoModels([{ kind: 'text', text: 'hi' }]);
    await using test = await testGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'hello', model: asked }, ada);
    const events = await Array.fromAsync(run.events(never));
    expect(startedWith(events)).toBe(name);
    expect(requests.map((request) => request.model)).toEqual([name]);
    expect((await test.gateway.runs.get(run.runId, ada)).model).toBe(name);
  });

  it('has to be one that may be chosen, and the refusal names those', async () => {
    await using test = await testGateway({ model: twoModels().model });
    const started = test.gateway.runs.start({ prompt: 'hello', model: 'other' }, ada);
    await expect(started).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'there is no model `other` to choose',
      help: expect.stringContaining('`openai:a` or `openai:b`'),
    });
    expect(await test.gateway.runs.list({ limit: 10 }, ada)).toEqual([]);
  });

  it('that is gone keeps a run from being resumed', () => {
    expect(() => sameModel(twoModels().model, 'other')).toThrow(
      expect.objectContaining({ code: 'RUN_NOT_RESUMABLE' }),
    );
    expect(sameModel(twoModels().model, 'openai:b')).toBe('openai:b');
  });
});

describe('what a provider wants back', () => {
  it('is given back with the next turn of the same run, and is on no record', async () => {
    const keepsake = { from: 'm', items: [{ own: { signature: 'c2lnbmVk' } }] };
    const { model, requests } = twoModels(
      [
        { kind: 'reasoning', text: 'thought aloud' },
        { kind: 'keepsake', keepsake },
        { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{}' },
      ],
      [{ kind: 'text', text: 'done' }],
    );
    await using test = await testGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'hello' }, ada);
    await Array.fromAsync(run.events(never));
    expect((await test.gateway.runs.get(run.runId, ada)).status).toBe(RunStatus.COMPLETED);
    expect(requests[1]?.conversation[1]).toMatchObject({ role: 'model', keepsake });
    const entries = await test.journal.page({ after: 0, limit: 100 });
    const recorded = entries.map(({ payload }) => JSON.stringify(payload)).join('\n');
    expect(recorded).not.toContain('c2lnbmVk');
    expect(recorded).not.toContain('thought aloud');
  });
});
