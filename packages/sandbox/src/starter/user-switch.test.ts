import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { userSwitchElf } from './user-switch.ts';

const USER = { uid: 61_100, gid: 61_100 };

describe('the program that becomes a user', () => {
  it('is what was assembled, byte for byte', () => {
    expect(sha256Hex(userSwitchElf('x64', USER))).toBe(
      '2e91f8fafb908d341648788af5aa0b247286e1594ca06cf068eb05dbeccee248',
    );
    expect(sha256Hex(userSwitchElf('arm64', USER))).toBe(
      '71ab1569529271b40d445d3340146d9087d3cd51d9ff258bdbb18b22cdab81ab',
    );
  });

  it('holds the numbers of its user, also large ones', () => {
    const code = Buffer.from(userSwitchElf('x64', { uid: 0x0102_0304, gid: 7 })).toString('hex');
    expect(code).toContain('bf0700000089fe89fab877000000');
    expect(code).toContain('bf0403020189fe89fab875000000');
    const arm = Buffer.from(userSwitchElf('arm64', { uid: 0x0001_0002, gid: 7 })).toString('hex');
    // movz w0, #2; movk w0, #1, lsl #16
    expect(arm).toContain('400080522000a072');
  });
});
