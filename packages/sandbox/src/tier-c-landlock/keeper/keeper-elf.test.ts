import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { CODE_AT } from '../../starter/elf-file.ts';
import { keeperElf } from './keeper-elf.ts';

const FILTER = new Uint8Array([6, 0, 0, 0, 0, 0, 0xff, 0x7f]);

describe('the keeper', () => {
  it('is the program that was tried, byte for byte', () => {
    expect(sha256Hex(keeperElf('x64', FILTER))).toBe(
      'aac34e745a388d8c3dfd311ea5b4880549090881a04d2fd1879dec1eaf021b61',
    );
    expect(sha256Hex(keeperElf('arm64', FILTER))).toBe(
      'f720fb06ff47e2810d1a5e0b8b701df95f23c8f8952d49d2fb987c621d07576f',
    );
  });

  it.each(['x64', 'arm64'] as const)('points at its own filter on %s', (machine) => {
    const elf = Buffer.from(keeperElf(machine, FILTER));
    const filterAt = elf.length - FILTER.length;
    const head = filterAt - 72;
    const fileStart = CODE_AT - 0x78;
    expect(elf.readUInt16LE(head)).toBe(1);
    expect(Number(elf.readBigUInt64LE(head + 8)) - fileStart).toBe(filterAt);
    expect(Number(elf.readBigUInt64LE(head + 16)) - fileStart).toBe(head + 32);
    expect(elf.toString('latin1', head + 32, head + 40)).toBe('/bin/sh\0');
  });
});
