import { readFile, readdir, readlink } from 'node:fs/promises';
import { tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { Daemon, palyra } from './harness.ts';

/** Inodes of every socket that a process holds. */
async function socketInodes(pid: number): Promise<ReadonlySet<string>> {
  const names = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.allSettled(names.map((name) => readlink(`/proc/${pid}/fd/${name}`)));
  const inodes = links.flatMap((link) =>
    link.status === 'fulfilled' ? [/^socket:\[(\d+)\]$/.exec(link.value)?.[1] ?? ''] : [],
  );
  return new Set(inodes.filter((inode) => inode !== ''));
}

interface NetworkSocket {
  /** As the kernel writes it: hex address and port. */
  readonly local: string;
  readonly inode: string;
}

/** One of the kernel's tables of network sockets. */
async function networkSockets(table: string): Promise<readonly NetworkSocket[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .map((fields) => ({ local: fields[1] ?? '', inode: fields[9] ?? '' }));
}

const LOOPBACK = /^(0100007F|00000000000000000000000001000000):[0-9A-F]{4}$/;

describe('the doors of the daemon', () => {
  it(
    'are TCP ports on loopback and nothing else, in the profile local',
    verifies('daemon:loopback-only'),
    async () => {
      await using home = await tempHome();
      await using daemon = await new Daemon(home.path).ready();
      const mine = await socketInodes(daemon.child.pid ?? 0);
      const open = async (table: string) =>
        (await networkSockets(table)).filter(({ inode }) => mine.has(inode));
      const tcp = [...(await open('tcp')), ...(await open('tcp6'))];
      expect(tcp.length).toBeGreaterThanOrEqual(2);
      expect(tcp.filter(({ local }) => !LOOPBACK.test(local))).toEqual([]);
      for (const table of ['udp', 'udp6', 'raw', 'raw6']) {
        expect(await open(table), table).toEqual([]);
      }
      const unix = await readFile('/proc/net/unix', 'utf8');
      expect(unix).not.toContain(home.path);
    },
  );

  it('say `ok` to strangers, and nothing else', verifies('identity:no-stranger'), async () => {
    await using home = await tempHome();
    await using daemon = await new Daemon(home.path).ready();
    const { console } = await daemon.door();
    const said = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${console}${path}`, init);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await said('/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await said('/readyz')).toEqual({ status: 200, text: 'ok' });
    const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const known = await said('/palyra.v1.HealthService/GetHealth', call);
    expect(known.status).toBe(401);
    expect(await said('/palyra.v1.HealthService/NoSuchCall', call)).toEqual(known);
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
