import { RunStatus } from '@palyra/protocol';
import { type TestGateway, rememberingSandbox, talkingModel, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { runsSection } from '../settings.ts';
import { ada, allowed, ask, say, through } from './talk.fixture.ts';

/** The kinds of each commit, without those that tell of records. */
function commitsOf({ journal }: TestGateway) {
  const commits: string[] = [];
  journal.subscribe((entries) => {
    const kinds = entries.map(({ kind }) => kind).filter((kind) => kind !== 'records.changed');
    commits.push(kinds.join(', '));
  });
  return commits;
}

async function day({ journal }: TestGateway): Promise<unknown> {
  return (await journal.records.get('day_budgets', ada.principal))?.body['held'];
}

describe('a run with one call', () => {
  it('waits for the disk no more often than what follows has to', async () => {
    const model = talkingModel([say('I look.'), ask('x')], [say('done')]);
    await using test = await testGateway({ model, policy: allowed, sandbox: rememberingSandbox() });
    const commits = commitsOf(test);
    await through(test, { prompt: 'go' });
    expect(commits).toEqual([
      'session.created, run.started, budget.changed',
      'model.message, tool.proposed',
      'tool.decided, tool.started',
      'tool.finished, tool.attested',
      'budget.changed, model.message, run.ended',
    ]);
  });
});

describe('runs that end at the same time', () => {
  it('have told the day what they came to before their ends are on record', async () => {
    const turns = Array.from({ length: 8 }, () => [say('done')]);
    await using test = await testGateway({ model: talkingModel(...turns) });
    await Promise.all(turns.map(() => through(test, { prompt: 'go' })));
    const entries = await test.journal.page({ after: 0, limit: 200 });
    const settled = (runId: string) =>
      entries.findLast(
        ({ kind, payload }) =>
          kind === 'budget.changed' && JSON.stringify(payload['runIds']).includes(runId),
      );
    const ends = entries.filter(({ kind }) => kind === 'run.ended');
    expect(ends).toHaveLength(8);
    for (const { runId = '', sequence } of ends) {
      expect(settled(runId)?.sequence).toBeLessThan(sequence);
      expect(await test.journal.records.get('budget_leases', runId)).toBeUndefined();
    }
  });
});

describe('a run whose last words cannot be written', () => {
  it('has failed, and they are never taken for said', async () => {
    const settings = { ...runsSection.parse({}), max_turn_bytes: 8 * 1024 * 1024 };
    const model = talkingModel([say('x'.repeat(5 * 1024 * 1024))]);
    await using test = await testGateway({ model, settings });
    const { runId, events } = await through(test, { prompt: 'go' });
    expect(events.map(({ event }) => event.case)).not.toContain('modelMessage');
    expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.FAILED);
  });
});

describe('a run that may not begin', () => {
  it('gives back what was reserved for it meanwhile', async () => {
    await using test = await testGateway({ model: talkingModel([say('done')]) });
    const { sessionId } = await through(test, { prompt: 'go' });
    await test.gateway.sessions.archive(sessionId, ada);
    const before = await day(test);
    await expect(test.gateway.runs.start({ prompt: 'on', sessionId }, ada)).rejects.toMatchObject({
      code: 'SESSION_ARCHIVED',
    });
    expect(await day(test)).toEqual(before);
  });
});
