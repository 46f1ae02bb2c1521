import { chmod, lstat, unlink } from 'node:fs/promises';
import type { Server } from 'node:net';
import { dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';

const SOCKET_MODE = 0o600;
/** What fits into `sun_path` beside its closing zero. */
const MOST_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/**
 * Listens on a unix socket that only its owner can open.
 * Contract: the caller holds the store's lock, so a socket file that is there already belongs to
 * a daemon that is dead. Between bind and chmod the closed directory keeps others away.
 */
export async function listenOn(server: Server, path: string): Promise<void> {
  refuseLongPath(path);
  await refuseOpenDirectory(dirname(path));
  await removeStale(path);
  await bind(server, path);
  try {
    await makePrivate(path);
  } catch (reason) {
    server.close();
    throw reason;
  }
}

async function makePrivate(path: string): Promise<void> {
  await chmod(path, SOCKET_MODE);
  const { mode, uid } = await lstat(path);
  if ((mode & 0o777) === SOCKET_MODE && uid === ownUid()) return;
  throw new PalyraError('HOME_UNSAFE', `the socket \`${path}\` did not become private`, {
    help: 'move `PALYRA_HOME` to a file system that keeps modes and owners',
  });
}

function refuseLongPath(path: string): void {
  const length = Buffer.byteLength(path);
  if (length <= MOST_PATH_BYTES) return;
  throw new PalyraError(
    'CONFIG_INVALID',
    `the socket path is ${length} bytes long and the system takes ${MOST_PATH_BYTES}: \`${path}\``,
    { help: 'set `PALYRA_HOME` to a shorter directory' },
  );
}

async function refuseOpenDirectory(directory: string): Promise<void> {
  const { mode, uid } = await lstat(directory);
  if ((mode & 0o077) === 0 && uid === ownUid()) return;
  throw new PalyraError('HOME_UNSAFE', `others can reach the directory \`${directory}\``, {
    help: `run \`chmod 700 ${directory}\` as its owner`,
  });
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch((reason: unknown) => {
    if (reason instanceof Error && 'code' in reason && reason.code === 'ENOENT') return undefined;
    throw reason;
  });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new PalyraError('HOME_UNSAFE', `\`${path}\` is in the way and is not a socket`, {
      help: 'move that file elsewhere',
    });
  }
  await unlink(path);
}

function bind(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function ownUid(): number | undefined {
  return process.getuid?.();
}
