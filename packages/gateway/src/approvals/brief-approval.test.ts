import { create } from '@bufbuild/protobuf';
import { ApprovalRecordSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { briefApproval } from './brief-approval.ts';

const asking = (writes: readonly string[]) =>
  create(ApprovalRecordSchema, {
    proposal: {
      tool: 'fs.write',
      arguments: { content: 'x'.repeat(5_000) },
      facts: { writes: [...writes], argumentBytes: 5_020, argumentsSha256: '00' },
    },
  });

it('a question with long arguments still tells in a list what it is about', () => {
  const { proposal } = briefApproval(asking(['NOTES.md']));
  expect(proposal?.arguments).toBeUndefined();
  expect(proposal?.facts).toMatchObject({ writes: ['NOTES.md'], argumentBytes: 5_020 });
});

it('a question that is about very much tells how much', () => {
  const { proposal } = briefApproval(asking(Array.from({ length: 100 }, () => 'y'.repeat(100))));
  expect(proposal?.facts).toMatchObject({
    writes: [],
    argumentBytes: 5_020,
    argumentsSha256: '00',
  });
});
