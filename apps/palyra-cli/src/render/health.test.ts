import { create } from '@bufbuild/protobuf';
import { ErrorCode, GetHealthResponseSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { faultFields } from './health.ts';

describe('a gateway that has failed', () => {
  it('says why, and what to do', () => {
    const fault = {
      code: ErrorCode.JOURNAL_UNWRITABLE,
      message: 'the journal cannot be written, so no tool runs',
      help: 'free disk space or mend the disk, then start the daemon again',
    };
    expect(faultFields(create(GetHealthResponseSchema, { fault }))).toEqual([
      ['why', 'the journal cannot be written, so no tool runs'],
      ['try', 'free disk space or mend the disk, then start the daemon again'],
    ]);
  });

  it('is told apart from one that has not', () => {
    expect(faultFields(create(GetHealthResponseSchema))).toEqual([]);
  });
});
