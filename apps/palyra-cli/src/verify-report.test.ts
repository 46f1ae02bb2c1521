import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { badEntry, readVerifyReport, withKey } from './verify-report.ts';

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

  it('tells what has left the store for the archive', () => {
    const archived = { expected: 3, found: 2, reason: 'one file is missing' };
    expect(readVerifyReport({ ...intact, archived })).toEqual({ ...intact, archived });
    expect(() => readVerifyReport({ ...intact, archived: {} })).toThrow(PalyraError);
  });

  it('names the first bad entry', () => {
    const fault = { sequence: 7, entryId: 'ID', reason: 'it is out of order' };
    const report = readVerifyReport({ verdict: 'broken', entries: 6, fault });
    expect(report).toEqual({ verdict: 'broken', entries: 6, fault });
  });

  it('names no entry when none is bad', () => {
    const report = readVerifyReport({
      verdict: 'broken',
      entries: 6,
      fault: { reason: 'no head' },
    });
    expect(report).toEqual({ verdict: 'broken', entries: 6, fault: { reason: 'no head' } });
    expect(badEntry({ reason: 'no head' })).toBeUndefined();
    expect(badEntry({ sequence: 0, reason: 'no head' })).toBeUndefined();
    expect(badEntry({ sequence: 7, reason: 'x' })).toBe('7');
    expect(badEntry({ sequence: 7, entryId: 'ID', reason: 'x' })).toBe('7, ID');
  });

  it('is broken by another key than the one asked for, and by no entry', () => {
    const report = readVerifyReport(intact);
    expect(withKey(report, 'c')).toBe(report);
    expect(withKey(report, 'd')).toEqual({
      verdict: 'broken',
      entries: 2,
      fault: { reason: 'it is signed by another key, c' },
    });
  });

  it('is never taken for intact when it says something else', () => {
    expect(() => readVerifyReport({ verdict: 'fine', entries: 1 })).toThrow(PalyraError);
    expect(() => readVerifyReport({})).toThrow(PalyraError);
  });
});
