import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Cage, KINDS, USER } from '../cage.fixture.ts';
import { childrenOf } from '../processes.ts';

it.each(KINDS)(
  'a maker of %s that ends before the ledger is written leaves nothing in the workspace',
  async (kind) => {
    await using cage = await Cage.start({ kind });
    holdLedger(cage);
    void cage.run({});
    await expect.poll(() => below(cage.pid).filter(hasIds), { interval: 1 }).toHaveLength(2);
    const started = below(cage.pid);
    await cage.kill();
    await expect.poll(() => started.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(readdirSync(cage.workspace)).toEqual([]);
  },
);

/** Whoever writes a page waits from then on for somebody who reads it: there is nobody. */
function holdLedger({ folder, kind }: Cage): void {
  const draft = join(folder, 'state', 'ledger', 'page.json.new');
  execFileSync('mkfifo', ['-m', '0600', draft]);
  if (kind === 'user') execFileSync('chown', [`${USER}`, draft]);
}

/** bwrap, and its other half, which makes everything. */
function below(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
}

/** One that has not waits for its other half, and would for ever if that is gone. */
function hasIds(pid: number): boolean {
  return readFileSync(`/proc/${pid}/uid_map`, 'utf8') !== '';
}
