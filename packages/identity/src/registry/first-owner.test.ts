import { expect, it } from 'vitest';
import { firstOwnerName, usableName } from './first-owner.ts';
import { isMemberName } from './shown-name.ts';

it.each([
  ['ada', 'ada'],
  ['Ada', 'ada'],
  ['', 'owner'],
  ['DOMAIN\\ada', 'owner'],
  ['ada lovelace', 'owner'],
  ['a'.repeat(40), 'owner'],
])('a machine that calls its user `%s` has the first owner `%s`', (text, name) => {
  expect(usableName(text)).toBe(name);
});

it('this machine has a name for its first owner', () => {
  expect(isMemberName(firstOwnerName())).toBe(true);
});
