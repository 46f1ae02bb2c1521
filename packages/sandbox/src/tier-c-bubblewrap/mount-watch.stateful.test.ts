import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLibc } from '../libc.ts';
import { type MountWatch, watchMounts } from './mount-watch.ts';
import { childrenOf } from './processes.ts';

const libc = openLibc();
/** The kernel spells a space in another way. */
const GUARDED = ['.env', 'a b#'];

interface Ground extends AsyncDisposable {
  readonly folder: string;
  readonly mounts: MountWatch;
  /** Ends everything inside, and with the first process what lies on its folder in `/proc`. */
  end(): Promise<void>;
}

/** Two guarded names in a sandbox in which nothing happens. */
async function ground(): Promise<Ground> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(mkdtempDisposableSync(join(tmpdir(), 'palyra-mounts-')));
  for (const name of GUARDED) writeFileSync(join(folder, name), '');
  const system = '--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64';
  const words = `--unshare-user --unshare-pid ${system} --proc /proc --tmpfs /proc/1 --bind`;
  const guards = GUARDED.flatMap((name) => ['--ro-bind', '/dev/null', `/workspace/${name}`]);
  const command = ['/usr/bin/sh', '-c', 'echo up; exec sleep 600'];
  const child = spawn('bwrap', [...words.split(' '), folder, '/workspace', ...guards, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => ended(child);
  stack.defer(end);
  await once(child.stdout, 'data');
  const [first = 0] = childrenOf(child.pid ?? 0);
  const mounts = stack.use(watchMounts(libc, first));
  const whole = stack.move();
  return { folder, mounts, end, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const [first = 0] = childrenOf(child.pid ?? 0);
  process.kill(first, 'SIGKILL');
  await once(child, 'exit');
}

describe('a list of mounts that is watched', () => {
  it('has each guard, and is as it was', async () => {
    await using here = await ground();
    expect(here.mounts.hasChanged()).toBe(false);
    expect(here.mounts.areOn('/workspace', GUARDED)).toBe(true);
    expect(here.mounts.areOn('/workspace', ['.env'])).toBe(true);
    expect(here.mounts.areOn('/workspace', [...GUARDED, 'c'])).toBe(false);
  });

  it('changes with the end of the first process, and still has each guard', async () => {
    await using here = await ground();
    await here.end();
    expect(here.mounts.hasChanged()).toBe(true);
    expect(here.mounts.areOn('/workspace', GUARDED)).toBe(true);
  });

  it('changes when a guarded name is exchanged, and lacks that guard, also after the end', async () => {
    await using here = await ground();
    writeFileSync(join(here.folder, 'draft'), 'NEW=1\n');
    renameSync(join(here.folder, 'draft'), join(here.folder, '.env'));
    expect(here.mounts.hasChanged()).toBe(true);
    expect(here.mounts.areOn('/workspace', GUARDED)).toBe(false);
    await here.end();
    expect(here.mounts.areOn('/workspace', GUARDED)).toBe(false);
    expect(readFileSync(join(here.folder, '.env'), 'utf8')).toBe('NEW=1\n');
  });
});
