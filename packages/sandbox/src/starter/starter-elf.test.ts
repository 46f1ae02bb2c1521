import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { parseReport, starterElf } from './starter-elf.ts';

describe('the starter', () => {
  it('is the program that was tried, byte for byte', () => {
    expect(sha256Hex(starterElf('x64'))).toBe(
      'bdfca6801ac11864ee141073f8f8bdcf93308f23513a59ba1f89e34c8e91697b',
    );
    expect(sha256Hex(starterElf('arm64'))).toBe(
      '7a816bbb0690f96cab8d02d0a539c7bedc7fa067c057891beef1e5e5096ee88e',
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
