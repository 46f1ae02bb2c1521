import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Cage, KINDS } from './cage.fixture.ts';

/** More than one sandbox takes while it is made. */
const MOST = 70;

it.runIf(KINDS.includes('root'))(
  'whoever has no descriptor left says so, and keeps none of those that it had got',
  async () => {
    await using cage = await Cage.start({ kind: 'root' });
    const count = () => readdirSync(`/proc/${cage.pid}/fd`).length;
    const limit = (most: number) =>
      execFileSync('prlimit', ['--pid', `${cage.pid}`, `--nofile=${most}:`]);
    await cage.run({});
    const before = count();
    const reasons = new Set<string | undefined>();
    for (let more = 2; more < MOST; more += 1) {
      limit(before + more);
      reasons.add((await cage.run({})).fault?.reason);
    }
    limit(1024);
    expect([...reasons]).toEqual(['the gateway has run out of file descriptors']);
    expect(await cage.run({})).toMatchObject({ kind: 'exited', code: 0 });
    await expect.poll(count).toBe(before);
  },
);
