import { create } from '@bufbuild/protobuf';
import { Turns } from '@palyra/kernel';
import { ApprovalRecordSchema, ApprovalStatus, Role } from '@palyra/protocol';
import type { RecordsPort } from '@palyra/records';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { createApprovals } from './approvals.ts';
import { openBooks } from './books.ts';
import { newestFirst } from './newest-first.ts';

const { PENDING, GRANTED, DENIED, UNSPECIFIED } = ApprovalStatus;

/** The records of a real journal, and how many were read of them. */
function counted({ journal: { records } }: TestGateway) {
  const read = { rows: 0, lists: 0 };
  const port: RecordsPort = {
    ...records,
    list: async (table, query) => {
      const rows = await records.list(table, query);
      read.rows += rows.length;
      read.lists += 1;
      return rows;
    },
  };
  return { port, read };
}

/** Every fifth one waits still. */
async function fill(test: TestGateway, count: number): Promise<readonly string[]> {
  const books = openBooks(test.journal.records);
  const ids = Array.from({ length: count }, () => test.parts.ids.next<'approval'>());
  const writes = ids.map((approvalId, at) => {
    const status = at % 5 === 0 ? PENDING : at % 5 === 1 ? GRANTED : DENIED;
    const record = create(ApprovalRecordSchema, { approvalId, status });
    return (status === PENDING ? books.open : books.closed).put(approvalId, record, 0);
  });
  const entries = [
    { kind: 'daemon.stopped', actor: 'test', payload: { reason: 'a test' } } as const,
  ];
  await test.journal.records.transact({ writes, entries });
  return ids;
}

describe('a list of questions', () => {
  it('has the newest first, open or closed, and those of one ending alone', async () => {
    await using test = await testGateway();
    const ids = await fill(test, 20);
    const people = { roleOf: async () => Role.OWNER };
    const { records } = test.journal;
    const approvals = createApprovals({ ...test.parts, records, people });
    const listed = async (status: ApprovalStatus, limit: number) =>
      (await Array.fromAsync(approvals.list(status, limit))).map(({ approvalId }) =>
        ids.indexOf(approvalId),
      );
    expect(await listed(UNSPECIFIED, 99)).toEqual(Array.from({ length: 20 }, (_, at) => 19 - at));
    expect(await listed(UNSPECIFIED, 6)).toEqual([19, 18, 17, 16, 15, 14]);
    expect(await listed(PENDING, 99)).toEqual([15, 10, 5, 0]);
    expect(await listed(GRANTED, 2)).toEqual([16, 11]);
    expect(await listed(DENIED, 0)).toEqual([]);
  });

  it('costs as much as is taken of it, however many there are', async () => {
    await using test = await testGateway();
    await fill(test, 60);
    const { port, read } = counted(test);
    const { open, closed } = openBooks(port);
    const turns = new Turns((turn) => void setImmediate(turn));
    for await (const _newest of newestFirst([open, closed], turns)) break;
    expect(read).toEqual({ rows: 8, lists: 2 });
  });

  it('is read a few rows a turn, however many read at once', async () => {
    await using test = await testGateway();
    await fill(test, 60);
    const { port, read } = counted(test);
    const { closed } = openBooks(port);
    const inTurn: number[] = [];
    const turns = new Turns((turn) => {
      const before = read.rows;
      setImmediate(() => {
        inTurn.push(read.rows - before);
        turn();
      });
    });
    const lists = Array.from({ length: 9 }, () => Array.fromAsync(newestFirst([closed], turns)));
    expect((await Promise.all(lists)).every((list) => list.length === 48)).toBe(true);
    expect(Math.max(...inTurn)).toBe(4);
  });
});
