import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLibc } from '../libc.ts';
import { BWRAP } from '../tier-c-bubblewrap/bwrap-binary.ts';
import { childrenOf, factsOf } from '../tier-c-bubblewrap/processes.ts';
import { takeSeat } from './seat.ts';

/** What a pipe of Linux holds before a writer has to wait. */
const PIPE_BYTES = 65_536;
const FOLDER = 0o200000;
/** Nothing in it can run: a folder is no program. */
const WORDS = '--unshare-user --unshare-pid --die-with-parent --ro-bind / / --json-status-fd 4';

const libc = openLibc();

function startBwrap(held: string, status: number): ChildProcess {
  const descriptor = openSync(held, FOLDER);
  try {
    return spawn(BWRAP, [...WORDS.split(' '), '--', '/'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor, status],
      env: {},
      detached: true,
    });
  } finally {
    closeSync(descriptor);
  }
}

/** bwrap speaks to its other half after its status is written, and nobody takes that from a full pipe. */
async function straggler(folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const { read, write } = libc.pipe();
  writeSync(write, new Uint8Array(PIPE_BYTES));
  const outer = startBwrap(folder, write);
  const ended = once(outer, 'exit');
  const inner = () => childrenOf(outer.pid ?? 0)[0];
  while (inner() === undefined && outer.exitCode === null) await pause(1);
  const pid = inner();
  outer.kill('SIGKILL');
  await ended;
  for (const end of [read, write]) closeSync(end);
  if (pid === undefined) throw new Error('bwrap has ended by itself');
  return pid;
}

const isAlive = (pid: number) => factsOf(pid)?.isDead === false;

describe('a half of bwrap that waits for its dead other half', () => {
  it('is ended by the next process that makes sandboxes, if it holds something of a folder that is free', async () => {
    await using base = await mkdtempDisposable(join(tmpdir(), 'palyra-stragglers-'));
    using taken = takeSeat(base.path);
    const left = await straggler(join(base.path, 'seat-0123456789abcdef', 'furniture'));
    const others = [
      await straggler(join(base.path, 'another', 'furniture')),
      await straggler(join(taken.folder, 'furniture')),
    ];
    try {
      expect([left, ...others].map(isAlive)).toEqual([true, true, true]);
      using _next = takeSeat(base.path);
      while (isAlive(left)) await pause(1);
      expect(others.map(isAlive)).toEqual([true, true]);
    } finally {
      for (const pid of [left, ...others].filter(isAlive)) process.kill(pid, 'SIGKILL');
    }
  });
});
