import { chmod, lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenOn } from './socket-file.ts';

let home = '';
let server: Server;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'palyra-'));
  server = createServer((socket) => socket.end('here'));
});
afterEach(async () => {
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  await rm(home, { recursive: true, force: true });
});

describe('the socket file', () => {
  it('can be opened by its owner alone', async () => {
    const path = join(home, 'palyrad.sock');
    await listenOn(server, path);
    const { mode } = await lstat(path);
    expect((mode & 0o777).toString(8)).toBe('600');
  });

  it('replaces the socket of a daemon that is dead', async () => {
    const path = join(home, 'palyrad.sock');
    await leaveSocketBehind(path);
    await listenOn(server, path);
    expect(await hear(path)).toBe('here');
  });

  it('never replaces anything that is not a socket', async () => {
    const path = join(home, 'palyrad.sock');
    await writeFile(path, 'precious');
    await expect(listenOn(server, path)).rejects.toMatchObject({ code: 'HOME_UNSAFE' });
    expect((await lstat(path)).isFile()).toBe(true);
  });

  it('is refused in a directory that others can reach', async () => {
    const open = join(home, 'open');
    await mkdir(open);
    await chmod(open, 0o750);
    await expect(listenOn(server, join(open, 'palyrad.sock'))).rejects.toMatchObject({
      code: 'HOME_UNSAFE',
      help: expect.stringContaining('chmod 700'),
    });
  });

  it('is refused where its path is too long for the system, with the way out', async () => {
    const path = join(home, 'x'.repeat(120), 'palyrad.sock');
    await expect(listenOn(server, path)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      help: expect.stringContaining('PALYRA_HOME'),
    });
  });
});

/** As a daemon that was killed does: nothing listens, and the file is still there. */
async function leaveSocketBehind(path: string): Promise<void> {
  const before = createServer();
  const kept = `${path}.kept`;
  await new Promise<void>((resolve) => before.listen(path, resolve));
  await rename(path, kept);
  await new Promise((resolve) => before.close(resolve));
  await rename(kept, path);
}

async function hear(path: string): Promise<string> {
  let heard = '';
  for await (const chunk of connect(path)) heard += String(chunk);
  return heard;
}
