import { PERMISSIONS, permissionWord } from '@palyra/kernel';
import { expect, it } from 'vitest';
import { PERMISSION_WORDS } from './permission-words.ts';

it('tells every permission in words of its own, and none by its id', () => {
  const known = [...PERMISSIONS.keys()];
  const words = known.map((permission) => PERMISSION_WORDS[permission]);
  expect(new Set(words).size).toBe(known.length);
  for (const word of words) expect(known.map(permissionWord)).not.toContain(word);
});
