import { once } from 'node:events';
import { type Http2Server, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { OneConnection } from './one-connection.ts';

const open = new Set<Server | Http2Server>();
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of open) server.close();
  open.clear();
});

async function listening(server: Server | Http2Server): Promise<number> {
  open.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server.address());
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function dialling(port: () => number) {
  const dialled: Socket[] = [];
  const connection = new OneConnection('http://gateway.internal', () => {
    const socket = connect(port(), '127.0.0.1');
    dialled.push(socket);
    sockets.add(socket);
    return socket;
  });
  const ask = async () => {
    const stream = await connection.request('GET', '/', {}, {});
    stream.end();
    return await text(stream);
  };
  return { dialled, ask };
}

function answering(words: string): Http2Server {
  return createHttp2Server((_request, response) => void response.end(words));
}

describe('one connection for all calls', () => {
  it('is made once, for as many as ask', async () => {
    const port = await listening(answering('well'));
    const { dialled, ask } = dialling(() => port);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['well', 'well', 'well']);
    expect(await ask()).toBe('well');
    expect(dialled).toHaveLength(1);
  });

  it('is made anew when it is gone', async () => {
    const port = await listening(answering('well'));
    const { dialled, ask } = dialling(() => port);
    await ask();
    dialled[0]?.destroy();
    if (dialled[0] !== undefined) await once(dialled[0], 'close');
    expect(await ask()).toBe('well');
    expect(dialled).toHaveLength(2);
  });

  it('leaves nobody waiting whose other end closes it at once', async () => {
    const port = await listening(createServer((socket) => void socket.destroy()));
    const { ask } = dialling(() => port);
    for (let tries = 0; tries < 20; tries += 1) {
      const answers = await Promise.allSettled([ask(), ask()]);
      for (const answer of answers) expect(answer).not.toHaveProperty('value', 'well');
    }
  });

  it('fails when nobody listens, and works when somebody does', async () => {
    const taken = answering('well');
    const port = await listening(taken);
    let at = 1;
    const { ask } = dialling(() => at);
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
    at = port;
    expect(await ask()).toBe('well');
  });

  it('fails when it is closed while it is made', async () => {
    const port = await listening(createServer(() => {}));
    const { dialled, ask } = dialling(() => port);
    const asked = ask();
    dialled[0]?.destroy();
    await expect(asked).rejects.toThrow('closed before it was made');
  });
});
