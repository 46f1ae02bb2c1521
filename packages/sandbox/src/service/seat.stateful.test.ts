import { mkdirSync, readdirSync } from 'node:fs';
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

  it('goes when it is given back', async () => {
    await using base = await mkdtempDisposable(join(tmpdir(), 'palyra-seats-'));
    takeSeat(base.path)[Symbol.dispose]();
    expect(readdirSync(base.path)).toEqual([]);
  });
});
