import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, palyra, statusOf } from './harness.ts';

/** Inodes of every socket that a process holds. */
async function socketInodes(pid: number): Promise<ReadonlySet<string>> {
  const names = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.allSettled(names.map((name) => readlink(`/proc/${pid}/fd/${name}`)));
  const inodes = links.flatMap((link) =>
    link.status === 'fulfilled' ? [/^socket:\[(\d+)\]$/.exec(link.value)?.[1] ?? ''] : [],
  );
  return new Set(inodes.filter((inode) => inode !== ''));
}

/** Inodes in one of the kernel's tables of network sockets. */
async function networkInodes(table: string): Promise<readonly string[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/)[9] ?? '');
}

describe('the doors of the daemon', () => {
  it(
    'are one unix socket that only its owner may open, and no network socket at all',
    verifies('daemon:socket-only', 'daemon:socket-is-private'),
    async () => {
      await using home = await tempHome();
      await using daemon = await new Daemon(home.path).ready();
      const mine = await socketInodes(daemon.child.pid ?? 0);
      expect(mine.size).toBeGreaterThan(0);
      for (const table of ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6']) {
        const open = (await networkInodes(table)).filter((inode) => mine.has(inode));
        expect(open, table).toEqual([]);
      }
      const socket = await stat(daemon.socketPath);
      expect(socket.isSocket()).toBe(true);
      expect((socket.mode & 0o777).toString(8)).toBe('600');
      expect(((await stat(`${home.path}/state`)).mode & 0o777).toString(8)).toBe('700');
    },
  );

  it('answer health to whoever may open the socket, and 404 to paths that do not exist', async () => {
    await using home = await tempHome();
    await using daemon = await new Daemon(home.path).ready();
    expect(await statusOf(daemon.socketPath, '/healthz')).toBe(200);
    expect(await statusOf(daemon.socketPath, '/nowhere')).toBe(404);
  });
});

describe('a second daemon on the same home', () => {
  it('says so and leaves the first alone', verifies('daemon:one-per-store'), async () => {
    await using home = await tempHome();
    await using first = await new Daemon(home.path).ready();
    await using second = new Daemon(home.path);
    while (second.child.exitCode === null)
      await new Promise((resolve) => second.child.once('exit', resolve));
    expect(second.child.exitCode).not.toBe(0);
    expect(second.log).toMatch(/DAEMON_RUNNING/);
    expect((await palyra(first.home, 'status')).code).toBe(0);
  });
});
