import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectError, type Transport } from '@connectrpc/connect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { grpcOverSocket, httpOverSocket } from './socket-transports.ts';

let folder = '';
let server: Server;
const sockets: Socket[] = [];

/** As a daemon that was stopped: the system takes the connection, and nobody reads from it. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra-client-'));
  server = createServer((socket) => void sockets.push(socket.on('error', () => socket.destroy())));
  server.listen(join(folder, 'sock'));
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a daemon that does not answer', () => {
  it.each([
    ['gRPC', grpcOverSocket],
    ['HTTP', httpOverSocket],
  ])('counts as unreachable over %s when the deadline has passed', async (_name, over) => {
    const { health } = createClient(over(join(folder, 'sock')));
    await expect(health.getHealth({}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      message: 'the daemon does not answer',
    });
  });

  it('has ten seconds for a single call unless the call says otherwise, and streams have no end', async () => {
    const deadlines: (number | undefined)[] = [];
    const transport: Transport = {
      unary(_method, _signal, timeoutMs) {
        deadlines.push(timeoutMs);
        return Promise.reject(new ConnectError('enough'));
      },
      stream(_method, _signal, timeoutMs) {
        deadlines.push(timeoutMs);
        return Promise.reject(new ConnectError('enough'));
      },
    };
    const client = createClient(transport);
    await expect(client.health.getHealth({})).rejects.toThrow();
    await expect(client.health.getHealth({}, { timeoutMs: 3000 })).rejects.toThrow();
    await expect(Array.fromAsync(client.journal.tailJournal({}))).rejects.toThrow();
    expect(deadlines).toEqual([10_000, 3000, undefined]);
  });
});
