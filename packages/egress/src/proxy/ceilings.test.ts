import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  listen,
  open,
  openTunnel,
  refusalOf,
  restOf,
  startOrigin,
  startProxy,
  talk,
} from './proxy.fixture.ts';

function get(port: number): string {
  return `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
}

describe('the ceilings of a sandbox', () => {
  it('hold for a head that never ends', async () => {
    await using proxy = await startProxy({ entries: ['web.test'] });
    const fields = `X: ${'a'.repeat(1000)}\r\n`;
    const answer = await talk(proxy.port, 'GET http://web.test/ HTTP/1.1\r\n', fields.repeat(40));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(await refusalOf(proxy)).toBe('head-too-long');
  });

  it('hold for many short fields', async () => {
    await using proxy = await startProxy({ entries: ['web.test'] });
    const answer = await talk(
      proxy.port,
      `GET http://web.test/ HTTP/1.1\r\n${'X: 1\r\n'.repeat(200)}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('hold for one who sends a head, a greeting or nothing too slowly', async () => {
    await using proxy = await startProxy({ entries: ['web.test'], ceilings: { helloMs: 300 } });
    const starts = ['GET http://web.test/ HTTP/1.1\r\nX: ', Buffer.from([5, 2]), ''];
    const endings = await Promise.all(
      starts.map((start) => (start === '' ? restOf(open(proxy.port)) : talk(proxy.port, start))),
    );
    expect(endings.map((ending) => ending.slice(0, 12))).toEqual(['HTTP/1.1 408', '', '']);
    const records = await proxy.recorded(3);
    expect(records.map(({ reason }) => reason)).toEqual(['too-slow', 'too-slow', 'too-slow']);
  });

  it('hold for a connection on which nothing happens', async () => {
    const server = createServer(() => {});
    const port = await listen(server);
    const entries = [`tcp:127.0.0.1:${port}`];
    await using proxy = await startProxy({ entries, ceilings: { idleMs: 400 } });
    const socket = await openTunnel(proxy.port, `127.0.0.1:${port}`);
    expect(await restOf(socket)).toBe('');
    expect((await proxy.recorded(1))[0]).toMatchObject({ decision: 'allowed', reason: 'idle' });
    server.close();
  });

  it.each(['bytesUp', 'bytesDown'])('hold for %s of all connections together', async (which) => {
    const server = createServer((socket) => socket.on('error', () => {}).pipe(socket));
    const port = await listen(server);
    const entries = [`tcp:127.0.0.1:${port}`];
    await using proxy = await startProxy({ entries, ceilings: { [which]: 100_000 } });
    for (const _ of [1, 2]) {
      const socket = await openTunnel(proxy.port, `127.0.0.1:${port}`);
      let received = 0;
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received === 60_000) socket.end();
      });
      socket.write(Buffer.alloc(60_000));
      await restOf(socket);
    }
    const [first, second] = await proxy.recorded(2);
    expect(first).toMatchObject({ bytesUp: 60_000, bytesDown: 60_000, reason: '' });
    expect(second).toMatchObject({ decision: 'allowed', reason: 'too-many-bytes' });
    server.close();
  });

  it('hold for connections at once: more are closed, told once, and the others go on', async () => {
    await using origin = await startOrigin();
    const entries = [`127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries, ceilings: { connections: 3 } });
    const held = [open(proxy.port), open(proxy.port), open(proxy.port)];
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    expect(await restOf(open(proxy.port))).toBe('');
    expect(await restOf(open(proxy.port))).toBe('');
    expect(proxy.served.totals()).toMatchObject({ connections: 3, dropped: 2 });
    expect(proxy.records.map(({ reason }) => reason)).toEqual(['too-many-connections']);
    held[0]?.write(get(origin.port));
    expect(await restOf(held[0] ?? open(1))).toMatch(/seen GET \//);
  });

  it('hold for connections in all', async () => {
    await using origin = await startOrigin();
    const entries = [`127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries, ceilings: { connectionsTotal: 2 } });
    const answers = [];
    for (const _ of [1, 2, 3])
      answers.push((await talk(proxy.port, get(origin.port))).slice(0, 12));
    expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', '']);
  });
});

describe('a sandbox that has ended', () => {
  it('leaves no connection, and a record of each', async () => {
    const server = createServer((socket) => socket.on('error', () => {}));
    const port = await listen(server);
    const proxy = await startProxy({ entries: [`tcp:127.0.0.1:${port}`] });
    const socket = await openTunnel(proxy.port, `127.0.0.1:${port}`);
    const idle = open(proxy.port);
    await once(idle, 'connect');
    const ends = Promise.all([restOf(socket), restOf(idle)]);
    await proxy.served.close();
    expect(proxy.records.length).toBe(2);
    expect(await ends).toEqual(['', '']);
    server.close();
  });
});

describe('a sandbox that hangs up', () => {
  it('ends what was begun for it at once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lookup = () => {
      resolve();
      return new Promise<never>(() => {});
    };
    await using proxy = await startProxy({ entries: ['web.test'], lookup });
    const socket = open(proxy.port);
    socket.write('CONNECT web.test:443 HTTP/1.1\r\n\r\n');
    await promise;
    socket.resetAndDestroy();
    expect((await proxy.recorded(1))[0]).toMatchObject({ decision: 'allowed', reason: 'left' });
  });
});

describe('two sandboxes', () => {
  it('keep each its own policy, whatever the other has', async () => {
    await using origin = await startOrigin();
    await using open1 = await startProxy({ entries: [`127.0.0.1:${origin.port}`] });
    await using closed = await startProxy({ entries: [] });
    expect(await talk(open1.port, get(origin.port))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await talk(closed.port, get(origin.port))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await talk(open1.port, get(origin.port))).toMatch(/^HTTP\/1\.1 200 /);
  });
});
