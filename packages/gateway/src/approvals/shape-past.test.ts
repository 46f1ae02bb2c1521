import { create } from '@bufbuild/protobuf';
import { type EntryDraft, createIds, systemClock } from '@palyra/kernel';
import {
  type ApprovalRecord,
  ApprovalRecordSchema,
  DecisionKind,
  type PastCall,
} from '@palyra/protocol';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { coveredPast, pastOf } from './shape-past.ts';

const ids = createIds(systemClock());
const never = new AbortController().signal;
const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };

interface Told {
  readonly tool?: string;
  readonly principal?: string;
  readonly words?: readonly string[];
  readonly asked?: boolean;
  readonly decision?: 'ALLOW' | 'DENY';
  readonly sessionId?: string;
  readonly bytes?: number;
}

/** Everything that the journal has of one call. */
function callOf(told: Told): readonly EntryDraft[] {
  const callId = ids.next<'call'>();
  const { tool = 'process.run', principal = 'user:ada', words = ['log'], bytes = 10 } = told;
  const facts = { process: { executable: 'git', arguments: [...words] }, argumentBytes: bytes };
  const proposal = { callId, tool, principal, sessionId: told.sessionId ?? run.sessionId, facts };
  const kind = `DECISION_KIND_${told.decision ?? 'ALLOW'}`;
  const draft = (entry: Pick<EntryDraft, 'kind' | 'payload'>) => ({
    ...run,
    actor: 'test',
    ...entry,
  });
  return [
    draft({ kind: 'tool.proposed', payload: proposal }),
    ...(told.asked === true ? [draft({ kind: 'approval.asked', payload: { callId } })] : []),
    draft({ kind: 'tool.decided', payload: { callId, kind } }),
  ];
}

const question = (): ApprovalRecord =>
  create(ApprovalRecordSchema, {
    proposal: { callId: 'itself', tool: 'process.run', principal: 'user:ada', ...run },
  });

const look = ({ journal, parts }: TestGateway, clock = parts.clock) =>
  pastOf(question(), { journal, clock }, never);
const isLog = ({ proposal }: PastCall) => proposal?.facts?.process?.arguments[0] === 'log';

describe('what a shape would have covered', () => {
  it('is counted among calls of the same tool and principal, newest first, with how they ended', async () => {
    await using test = await testGateway();
    await test.journal.append(
      [
        { words: ['log', '1'] },
        { words: ['log', '2'], asked: true },
        { words: ['push'], decision: 'DENY' as const },
        { principal: 'user:eve' },
        { tool: 'fs.read' },
        { words: ['log', '3'], asked: true, decision: 'DENY' as const, sessionId: 'another' },
      ].flatMap(callOf),
    );
    const past = coveredPast(await look(test), run.sessionId, isLog);
    expect(past).toMatchObject({ isCut: false, covered: 3, inSession: 2, asked: 2, denied: 1 });
    expect(past.examples.map(({ proposal }) => proposal?.facts?.process?.arguments[1])).toEqual([
      '3',
      '2',
      '1',
    ]);
    expect(past.examples[0]).toMatchObject({ wasAsked: true, decision: DecisionKind.DENY });
  });

  it('goes back seven days, and no call itself counts', async () => {
    await using test = await testGateway();
    const itself = { callId: 'itself', tool: 'process.run', principal: 'user:ada' };
    await test.journal.append([
      ...callOf({}),
      { ...run, kind: 'tool.proposed', actor: 'test', payload: itself },
    ]);
    expect((await look(test)).calls).toHaveLength(1);
    const later = new Date(test.parts.clock.now().getTime() + 7 * 86_400_000 + 60_000);
    expect(await look(test, { ...test.parts.clock, now: () => later })).toMatchObject({
      calls: [],
      isCut: false,
    });
  });

  it('gives five examples at most, and none with long arguments in full', async () => {
    await using test = await testGateway();
    const calls = Array.from({ length: 7 }, () => callOf({ bytes: 100_000 }));
    await test.journal.append(calls.flat());
    const { covered, examples } = coveredPast(await look(test), '', isLog);
    expect(covered).toBe(7);
    expect(examples.map(({ proposal }) => proposal?.facts)).toMatchObject(
      Array.from({ length: 5 }, () => ({ argumentBytes: 100_000, reads: [] })),
    );
    expect(examples.every(({ proposal }) => proposal?.facts?.process === undefined)).toBe(true);
  });

  it('looks at five thousand calls at most, says so, and lets others work meanwhile', async () => {
    await using test = await testGateway();
    const entries = Array.from({ length: 500 }, () => callOf({})).flat();
    for (let made = 0; made < 12; made += 1) await test.journal.append(entries);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const past = await look(test);
    clearInterval(timer);
    expect(past).toMatchObject({ isCut: true, since: expect.stringMatching(/Z$/) });
    expect(past.calls.length).toBeGreaterThanOrEqual(5_000);
    expect(past.calls.length).toBeLessThan(5_000 + 256);
    expect(turns).toBeGreaterThan(5);
  });
});
