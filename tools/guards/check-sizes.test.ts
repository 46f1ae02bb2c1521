import { describe, expect, it } from 'vitest';
import { treeFrom } from '../tree.ts';
import { checkSizes } from './check-sizes.ts';

describe('checkSizes', () => {
  it('likes 400 lines', () => {
    expect(checkSizes(treeFrom({ 'packages/a/src/a.ts': 'a\n'.repeat(400) }))).toEqual([]);
  });

  it('refuses 401', () => {
    expect(checkSizes(treeFrom({ 'packages/a/src/a.ts': 'a\n'.repeat(401) }))).toEqual([
      { path: 'packages/a/src/a.ts', says: '401 lines; the most is 400' },
    ]);
  });

  it('leaves generated files alone', () => {
    expect(checkSizes(treeFrom({ 'packages/a/src/gen/a.ts': 'a\n'.repeat(401) }))).toEqual([]);
  });
});
