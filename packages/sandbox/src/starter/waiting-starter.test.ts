import { sha256Hex } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { orderBytes, waitingStarterElf } from './waiting-starter.ts';

const ORDER = {
  limits: [{ resource: 7, soft: 64, hard: 128 }],
  directory: "/workspace/it's",
  environment: { B: '$(b)', A: "'a'\n" },
  program: '/usr/bin/git',
  words: ['git', "x='y'; rm -rf /", ''],
};

/** As the program would: a list of addresses, up to the one that is none. */
function textsAt(bytes: Buffer, address: number): readonly string[] {
  const texts: string[] = [];
  for (let at = address - 0x1000_0000; ; at += 8) {
    const place = Number(bytes.readBigInt64LE(at));
    if (place === 0) return texts;
    texts.push(textAt(bytes, place));
  }
}

function textAt(bytes: Buffer, address: number): string {
  const start = address - 0x1000_0000;
  return bytes.toString('utf8', start, bytes.indexOf(0, start));
}

describe('the starter that waits', () => {
  it('is what was assembled, byte for byte', () => {
    expect(sha256Hex(waitingStarterElf('x64'))).toBe(
      'e219cf5a68cc63e601af86f4d0402fa59a7f181298b76158ddaad96ee401f309',
    );
    expect(sha256Hex(waitingStarterElf('arm64'))).toBe(
      '7b3086bf0586d732c529438ad017add508f3b9fa5d67469b3353a622599a756e',
    );
  });
});

describe('its order', () => {
  const bytes = Buffer.from(orderBytes(ORDER));
  const word = (place: number) => Number(bytes.readBigInt64LE(place * 8));

  it('has every word from outside as it is, where the addresses at its start say', () => {
    expect(word(0)).toBe(bytes.length);
    expect(textAt(bytes, word(1))).toBe('/usr/bin/git');
    expect(textsAt(bytes, word(2))).toEqual(['git', "x='y'; rm -rf /", '']);
    expect(textsAt(bytes, word(3))).toEqual(["A='a'\n", 'B=$(b)']);
    expect(textAt(bytes, word(4))).toBe("/workspace/it's");
  });

  it('has the limits, and then one of no resource', () => {
    expect([5, 6, 7, 8].map(word)).toEqual([7, 64, 128, -1]);
  });

  it('takes no word with a NUL, which would end it early', () => {
    expect(() => orderBytes({ ...ORDER, words: ['a\0b'] })).toThrow('a word holds a NUL');
  });

  it('is not longer than the place for it', () => {
    const words = Array.from({ length: 64 }, () => 'x'.repeat(64 * 1024));
    expect(() => orderBytes({ ...ORDER, words })).toThrow('too long');
  });
});
