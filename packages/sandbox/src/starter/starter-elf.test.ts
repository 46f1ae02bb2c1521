import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { parseReport, starterElf } from './starter-elf.ts';

describe('the starter', () => {
  it('is the program that was tried, byte for byte', () => {
    expect(sha256Hex(starterElf('x64'))).toBe(
      '7ce58da37d64ccdf4489549029a80780c97a138c58eb3872372bea6c53df115d',
    );
    expect(sha256Hex(starterElf('arm64'))).toBe(
      'bd101b99ce869fb3eb8cd58720376b32671898b00b31a5a14ccf0281077ca2d3',
    );
  });

  it('tells an exit from a death by a signal and from a start that failed', () => {
    expect(parseReport(Buffer.from([0, 137, 0, 0]))).toEqual({ kind: 'exited', code: 137 });
    expect(parseReport(Buffer.from([9, 0, 0, 0]))).toEqual({ kind: 'signalled', signal: 9 });
    expect(parseReport(Buffer.from([0x8b, 0, 0, 0]))).toEqual({ kind: 'signalled', signal: 11 });
    expect(parseReport(Buffer.from([2, 0, 0, 0x80, 0, 127, 0, 0]))).toEqual({
      kind: 'not-started',
      errno: 2,
    });
    expect(parseReport(Buffer.from([0, 0, 0]))).toBeUndefined();
  });
});
