import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  ApprovalGrantSchema,
  ApprovalRecordSchema,
  ApprovalStatus,
  GrantShapeSchema,
} from '@palyra/protocol';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { JournalPort } from '../ports.ts';
import { ApprovalFlows } from './approval-flows.ts';
import type { ApprovalDesk } from './ports.ts';

const signal = new AbortController().signal;

/** Questions of one ending, and how the journal is searched for what they would have covered. */
function flowsOf(test: TestGateway, status: ApprovalStatus) {
  const searches = { begun: 0, most: 0, underWay: 0 };
  const { journal: real, parts } = test;
  const list: JournalPort['list'] = async (query) => {
    searches.begun += 1;
    searches.underWay += 1;
    searches.most = Math.max(searches.most, searches.underWay);
    const page = await real.list(query);
    searches.underWay -= 1;
    return page;
  };
  const journal: JournalPort = {
    append: (drafts) => real.append(drafts),
    tip: () => real.tip(),
    find: (id) => real.find(id),
    page: (query) => real.page(query),
    list,
    subscribe: (listener) => real.subscribe(listener),
    exportLines: (filter, ending) => real.exportLines(filter, ending),
    archive: (before, actor) => real.archive(before, actor),
  };
  const offer = { name: 'exact', says: 'this very call' };
  const desk: ApprovalDesk = {
    ...parts.approvalDesk,
    get: async (approvalId) => ({
      record: create(ApprovalRecordSchema, { approvalId, status, proposal: { tool: 'fs.read' } }),
      offers: [{ ...offer, shape: create(GrantShapeSchema) }],
    }),
  };
  const flows = new ApprovalFlows(desk, { ...parts, journal, onAnswered: async () => {} });
  return { flows, searches };
}

describe('grants that are listed', () => {
  it('come with the question where only that tells which call they cover', async () => {
    await using test = await testGateway();
    const { flows } = flowsOf(test, ApprovalStatus.GRANTED);
    const grantOf = (approvalId: string, shape: MessageInitShape<typeof GrantShapeSchema>) =>
      create(ApprovalGrantSchema, { grantId: `g-${approvalId}`, approvalId, shape });
    const live = [
      grantOf('exact', { argumentsSha256: '00' }),
      grantOf('gone', { argumentsSha256: '01' }),
      grantOf('folder', { writesUnder: ['src'] }),
    ];
    const desk: ApprovalDesk = {
      ...flows.desk,
      grants: async () => live,
      get: async (approvalId) => {
        if (approvalId === 'gone') throw new PalyraError('NOT_FOUND', 'no longer kept');
        return await flows.desk.get(approvalId);
      },
    };
    const parts = { ...test.parts, onAnswered: async () => {} };
    const { grants, approvals } = await new ApprovalFlows(desk, parts).grants();
    expect(grants).toBe(live);
    expect(approvals).toMatchObject([{ approvalId: 'exact', proposal: { tool: 'fs.read' } }]);
  });
});

describe('a question that is looked at', () => {
  it('comes with what its shapes would have covered while it waits, and without any search after', async () => {
    await using test = await testGateway();
    const waiting = flowsOf(test, ApprovalStatus.PENDING);
    const { offers } = await waiting.flows.show('one', 'user:ada', signal);
    expect(offers).toMatchObject([{ name: 'exact', past: { covered: 0 } }]);
    expect(waiting.searches.begun).toBe(1);
    const over = flowsOf(test, ApprovalStatus.DENIED);
    const whole = await over.flows.show('one', 'user:ada', signal);
    expect(whole.offers).toMatchObject([{ name: 'exact' }]);
    expect(whole.offers[0]?.past).toBeUndefined();
    expect(over.searches.begun).toBe(0);
  });

  it('is searched for one after the other for one person, and for others meanwhile', async () => {
    await using test = await testGateway();
    const { flows, searches } = flowsOf(test, ApprovalStatus.PENDING);
    const show = (whose: string) => flows.show('one', whose, signal);
    await Promise.all(Array.from({ length: 16 }, () => show('user:ada')));
    expect(searches).toMatchObject({ begun: 16, most: 1 });
    await Promise.all([show('user:ada'), show('user:eve'), show('user:ada')]);
    expect(searches.most).toBe(2);
  });

  it('is refused in the end to whoever looks at too many, and shown again once those are seen', async () => {
    await using test = await testGateway();
    const { flows } = flowsOf(test, ApprovalStatus.PENDING);
    const show = () => flows.show('one', 'user:ada', signal);
    const outcomes = await Promise.allSettled(Array.from({ length: 17 }, show));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'OVERLOADED', message: 'you look at 16 questions already' } },
    ]);
    await expect(show()).resolves.toBeDefined();
  });

  it('is not searched for when the one who asked has left, and holds nobody up', async () => {
    await using test = await testGateway();
    const { flows } = flowsOf(test, ApprovalStatus.PENDING);
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(flows.show('one', 'user:ada', gone)).rejects.toThrow('gone');
    await expect(flows.show('one', 'user:ada', signal)).resolves.toBeDefined();
  });
});
