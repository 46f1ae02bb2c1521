import { create } from '@bufbuild/protobuf';
import { MemberSchema, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { peopleAmong } from './people.ts';

const ADA = `01${'A'.repeat(24)}`;
const BOB = `01${'B'.repeat(24)}`;
const people = peopleAmong([
  create(MemberSchema, { userId: ADA, name: 'ada', role: Role.ADMIN }),
  create(MemberSchema, { userId: BOB, name: 'b\u202eob', role: Role.OPERATOR }),
]);

describe('the people behind ids', () => {
  it('have a name and a role, unless nobody knows them', () => {
    expect([people.nameOf(ADA), people.roleOf(ADA)]).toEqual(['ada', Role.ADMIN]);
    expect([people.nameOf('01X'), people.roleOf('01X')]).toEqual(['01X', Role.UNSPECIFIED]);
  });

  it.each([
    [`user:${ADA}`, 'ada'],
    [`user:${ADA} via device:01D`, 'ada via device:01D'],
    ['gateway', 'gateway'],
    [`user:01${'C'.repeat(24)}`, `user:01${'C'.repeat(24)}`],
    [`user:${BOB}`, 'b\\u{202e}ob'],
  ])('are named in `%s`', (principal, words) => {
    expect(people.wordsOf(principal)).toBe(words);
  });
});
