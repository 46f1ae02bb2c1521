import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeSeat } from './seat.ts';

describe('a folder of one process that makes sandboxes', () => {
  it('is swept by the next when its owner is gone, and left alone while it lives', async () => {
    await using base = await mkdtempDisposable(join(tmpdir(), 'palyra-seats-'));
    mkdirSync(join(base.path, 'seat-0123456789abcdef', 'ledger'), { recursive: true });
    mkdirSync(join(base.path, 'verdicts'));
    using first = takeSeat(base.path);
    using second = takeSeat(base.path);
    const names = [first.folder, second.folder].map((folder) => folder.slice(base.path.length + 1));
    expect(readdirSync(base.path).toSorted()).toEqual([...names, 'verdicts'].toSorted());
  });

  it('stays, and is told of, as long as it keeps what somebody wrote', async () => {
    await using base = await mkdtempDisposable(join(tmpdir(), 'palyra-seats-'));
    const blanks = join(base.path, 'seat-0123456789abcdef', 'blanks');
    mkdirSync(blanks, { recursive: true });
    writeFileSync(join(blanks, '1'), 'mine');
    writeFileSync(join(blanks, '2'), '');
    for (let left = 2; left > 0; left -= 1) {
      using seat = takeSeat(base.path);
      expect(seat.kept).toEqual([join(blanks, '1')]);
    }
    expect(readdirSync(blanks)).toEqual(['1']);
    rmSync(join(blanks, '1'));
    using _seat = takeSeat(base.path);
    expect(readdirSync(base.path)).toHaveLength(1);
  });

  it('goes when it is given back', async () => {
    await using base = await mkdtempDisposable(join(tmpdir(), 'palyra-seats-'));
    takeSeat(base.path)[Symbol.dispose]();
    expect(readdirSync(base.path)).toEqual([]);
  });
});
