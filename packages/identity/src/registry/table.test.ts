import { create } from '@bufbuild/protobuf';
import { MemberSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { MemoryRecords } from '../records.fixture.ts';
import { Table } from '@palyra/records';

class ShortPages extends MemoryRecords {
  override list(table: string, query: { readonly after?: string; readonly limit: number }) {
    return super.list(table, { ...query, limit: 2 });
  }
}

it('a table is read to its end, although a page of the store may be short', async () => {
  const records = new ShortPages();
  const table = new Table(records, 'members', () => MemberSchema);
  const why = { kind: 'member.added', actor: 'gateway', payload: {} } as const;
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    const member = create(MemberSchema, { userId: id });
    await records.transact({ writes: [table.put(id, member, 0)], entries: [why] });
  }
  expect((await table.all()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('a record that somebody else has changed into none is a damaged journal', async () => {
  const records = new MemoryRecords();
  const table = new Table(records, 'members', () => MemberSchema);
  const why = { kind: 'member.added', actor: 'gateway', payload: {} } as const;
  const body = { userId: 'a', role: 'ROLE_VIEWER' };
  const write = { table: 'members', id: 'a', expectedVersion: 0, body };
  await records.transact({ writes: [write], entries: [why] });
  const corrupt = { code: 'JOURNAL_CORRUPT', message: expect.stringContaining('`members`') };
  await expect(table.get('a')).rejects.toMatchObject(corrupt);
  await expect(table.all()).rejects.toMatchObject(corrupt);
});
