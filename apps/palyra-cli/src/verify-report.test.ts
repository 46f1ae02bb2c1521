import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { readVerifyReport } from './verify-report.ts';

const intact = {
  verdict: 'intact',
  entries: 2,
  firstSequence: 1,
  lastSequence: 2,
  previousHash: 'a',
  headHash: 'b',
  keyId: 'c',
};

describe('the report of palyrad', () => {
  it('is intact only when it says all that an intact one says', () => {
    expect(readVerifyReport({ format: 'palyra.cli.v1', kind: 'x', ...intact })).toEqual(intact);
    const { keyId: _, ...without } = intact;
    expect(() => readVerifyReport(without)).toThrow(PalyraError);
  });

  it('names the first bad entry', () => {
    const fault = { sequence: 7, entryId: 'ID', reason: 'it is out of order' };
    const report = readVerifyReport({ verdict: 'broken', entries: 6, fault });
    expect(report).toEqual({ verdict: 'broken', entries: 6, fault });
  });

  it('is never taken for intact when it says something else', () => {
    expect(() => readVerifyReport({ verdict: 'fine', entries: 1 })).toThrow(PalyraError);
    expect(() => readVerifyReport({})).toThrow(PalyraError);
  });
});
