import { describe, expect, it } from 'vitest';
import { withNewest, withOlder } from './grown.ts';

const shape = { idOf: (thing: string) => thing, size: 3 };
const read = withNewest(undefined, ['9', '8', '7'], shape);

describe('a list that grows backwards', () => {
  it('has more as long as pages are full', () => {
    expect(read).toEqual({ things: ['9', '8', '7'], hasMore: true });
    const back = withOlder(read, ['6', '5', '4'], shape);
    expect(back).toEqual({ things: ['9', '8', '7', '6', '5', '4'], hasMore: true });
    expect(withOlder(back, ['3'], shape).hasMore).toBe(false);
    expect(withNewest(undefined, ['9'], shape)).toEqual({ things: ['9'], hasMore: false });
  });

  it('keeps what was read when something new comes, and what that pushes off the first page', () => {
    const back = withOlder(read, ['6'], shape);
    const grown = withNewest(back, ['B', 'A', '9'], shape);
    expect(grown).toEqual({ things: ['B', 'A', '9', '8', '7', '6'], hasMore: false });
  });

  it('begins anew when more has come than was asked for', () => {
    const back = withOlder(read, ['6'], shape);
    expect(withNewest(back, ['F', 'E', 'D'], shape)).toEqual({
      things: ['F', 'E', 'D'],
      hasMore: true,
    });
  });

  it('names nothing twice', () => {
    expect(withOlder(read, ['7', '6', '5'], shape).things).toEqual(['9', '8', '7', '6', '5']);
  });
});
