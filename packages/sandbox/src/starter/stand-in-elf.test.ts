import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { standInElf } from './stand-in-elf.ts';
import { userSwitchElf } from './user-switch.ts';

const USER = { uid: 61_100, gid: 61_100 };
const MACHINES = ['x64', 'arm64'] as const;
const hex = (program: Uint8Array) => Buffer.from(program).toString('hex');

describe('the program that waits to become another', () => {
  it('is what was assembled, byte for byte', () => {
    expect(sha256Hex(standInElf('x64', USER))).toBe(
      '94c7fe5c180f8fe7e26310bd4c280b6028d741642e08342a00c8e100c6eee6c7',
    );
    expect(sha256Hex(standInElf('arm64', USER))).toBe(
      '16144ae79077b84e1ee67b8a6f62fbc95d067f05274ea595926d7508bb3d4bdc',
    );
  });

  it('ends as the one that becomes a user at once, and without a user by what that ends with', () => {
    for (const machine of MACHINES) {
      const headers = 2 * 120;
      expect(
        hex(standInElf(machine, USER)).endsWith(hex(userSwitchElf(machine, USER)).slice(headers)),
      ).toBe(true);
      expect(standInElf(machine, undefined).length).toBeLessThan(standInElf(machine, USER).length);
    }
  });
});
