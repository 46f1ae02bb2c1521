import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { callerElf, readResults } from './caller-elf.ts';

const CALLS = [
  { number: 1, arguments: [-100, 'a text', Buffer.from([1, 2])] },
  { number: 1000, arguments: [] },
];

describe('the program that makes calls', () => {
  it('is the same for the same calls, byte for byte', () => {
    expect(sha256Hex(callerElf('x64', CALLS))).toBe(
      '57dc1c851c0a1a70e7d959050d77bf5c0920647d2c7e66fc524a326a170df734',
    );
    expect(sha256Hex(callerElf('arm64', CALLS))).toBe(
      '50a544081282d827195d829e3a8131c84bc76dc97de2f8da7e56c60917b632e0',
    );
  });

  it.runIf(process.platform === 'linux')('tells what the kernel answered, in order', () => {
    const names: Readonly<Record<string, number>> =
      process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;
    const machine = process.arch === 'arm64' ? 'arm64' : 'x64';
    const folder = mkdtempSync(join(tmpdir(), 'palyra-caller-'));
    try {
      const file = join(folder, 'caller');
      writeFileSync(
        file,
        callerElf(machine, [
          { number: 1000, arguments: [] },
          { number: names['openat'] ?? -1, arguments: [-100, '/nowhere/at/all', 0] },
          { number: names['close'] ?? -1, arguments: [2] },
        ]),
      );
      chmodSync(file, 0o700);
      expect(readResults(execFileSync(file))).toEqual([-38, -2, 0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('counts only what was written whole', () => {
    expect(readResults(Buffer.from('0000000000000000ffffff', 'hex'))).toEqual([0]);
  });
});
