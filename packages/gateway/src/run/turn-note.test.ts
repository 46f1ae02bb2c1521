import { create } from '@bufbuild/protobuf';
import { ModelMessageSchema, ToolProposalSchema } from '@palyra/protocol';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { draftOf } from './run-note.ts';
import { TurnNote } from './turn-note.ts';

const actor = 'agent';
const TOO_MUCH = 'x'.repeat(5 * 1024 * 1024);

function turnIn({ parts }: TestGateway, text = 'I look.') {
  const run = { runId: parts.ids.next<'run'>(), sessionId: parts.ids.next<'session'>() };
  const message = create(ModelMessageSchema, { text });
  const said = draftOf(run, { kind: 'model.message', actor, message });
  const turn = new TurnNote(said, parts.journal);
  const call = (callId: string) => {
    const proposal = create(ToolProposalSchema, { callId });
    return [draftOf(run, { kind: 'tool.proposed', actor, message: proposal })];
  };
  return { turn, call };
}

async function kindsIn({ journal }: TestGateway): Promise<readonly string[]> {
  return (await journal.page({ after: 0, limit: 100 })).map(({ kind }) => kind);
}

describe('what a model said in a turn with calls', () => {
  it('is on record in one commit with the first of them, and before all others', async () => {
    await using test = await testGateway();
    const commits: (readonly string[])[] = [];
    using _heard = test.journal.subscribe((entries) => {
      commits.push(entries.map(({ kind }) => kind));
    });
    const { turn, call } = turnIn(test);
    await Promise.all([turn.record(call('a')), turn.record(call('b')), turn.record(call('c'))]);
    await turn[Symbol.asyncDispose]();
    expect(commits).toEqual([
      ['model.message', 'tool.proposed'],
      ['tool.proposed', 'tool.proposed'],
    ]);
  });

  it('is on record also when none of them was begun', async () => {
    await using test = await testGateway();
    const { turn } = turnIn(test);
    await turn[Symbol.asyncDispose]();
    expect(await kindsIn(test)).toEqual(['model.message']);
  });

  it('takes all of them along when it cannot be written', async () => {
    await using test = await testGateway();
    const { turn, call } = turnIn(test, TOO_MUCH);
    const calls = await Promise.allSettled([turn.record(call('a')), turn.record(call('b'))]);
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn[Symbol.asyncDispose]();
    expect(await kindsIn(test)).toEqual([]);
  });
});
