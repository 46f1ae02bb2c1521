import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { extension, hello, records, serverName } from '../reading/hello.fixture.ts';
import {
  listen,
  next,
  open,
  openTunnel,
  PUBLIC_ADDRESS,
  refusalOf,
  restOf,
  secured,
  startProxy,
  startTlsOrigin,
  talk,
  testAuthority,
} from './proxy.fixture.ts';

const authority = await testAuthority();
const tooLong = Buffer.concat([Buffer.from([1, 1, 0x11, 0x70]), Buffer.alloc(70_000)]);
const publicName = () => Promise.resolve([PUBLIC_ADDRESS]);

/** Counts what arrives, and says nothing. */
async function startSilent() {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {});
    server.once('ending', () => socket.destroy());
  });
  const port = await listen(server);
  return {
    port,
    received: () => Buffer.concat(received).toString('latin1'),
    [Symbol.asyncDispose]: async () => {
      server.emit('ending');
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a tunnel by CONNECT', () => {
  it('carries TLS that names the authorised host', async () => {
    await using origin = await startTlsOrigin(authority);
    const entries = [`web.test:${origin.port}`, `127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries });
    const socket = await openTunnel(proxy.port, `Web.Test:${origin.port}`);
    const tls = await secured(socket, { servername: 'WEB.test', ca: authority.certificatePem });
    tls.write('GET /x HTTP/1.1\r\nHost: web.test\r\nConnection: close\r\n\r\n');
    expect(await restOf(tls)).toMatch(/seen GET \/x$/);
    const [record] = await proxy.recorded(1);
    expect(record).toMatchObject({
      door: 'connect',
      host: 'web.test',
      address: '127.0.0.1',
      decision: 'allowed',
      reason: '',
      rule: `web.test:${origin.port}`,
      request: '',
    });
    expect(record?.bytesUp).toBeGreaterThan(200);
    expect(record?.bytesDown).toBeGreaterThan(200);
  });

  it('carries anything for an entry that says so, also after one side has said all', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    const port = await listen(echo);
    await using proxy = await startProxy({ entries: [`tcp:127.0.0.1:${port}`] });
    const socket = await openTunnel(proxy.port, `127.0.0.1:${port}`);
    socket.end('SSH-2.0-x');
    expect(await restOf(socket)).toBe('SSH-2.0-x');
    const [record] = await proxy.recorded(1);
    expect(record).toMatchObject({ rule: `tcp:127.0.0.1:${port}`, bytesUp: 9, bytesDown: 9 });
    echo.close();
  });

  it('to an address that is listed carries TLS that names nobody', async () => {
    await using silent = await startSilent();
    const entries = [`127.0.0.1:${silent.port}`];
    await using proxy = await startProxy({ entries });
    const named = await openTunnel(proxy.port, `127.0.0.1:${silent.port}`);
    named.write(records(hello({ extensions: [serverName('web.test')] })));
    expect(await restOf(named)).toBe('');
    expect(await refusalOf(proxy)).toBe('hello-other-name');
    const unnamed = await openTunnel(proxy.port, `127.0.0.1:${silent.port}`);
    unnamed.write(records(hello({ extensions: [] })));
    unnamed.end();
    unnamed.destroy();
    await proxy.recorded(2);
    expect(proxy.records[1]).toMatchObject({ decision: 'allowed', reason: '' });
  });

  it.each([
    ['plain text', [Buffer.from('GET / HTTP/1.1\r\nHost: web.test\r\n\r\n')], 'hello-malformed'],
    ['no name', [records(hello({ extensions: [] }))], 'hello-without-name'],
    [
      'another name',
      [records(hello({ extensions: [serverName('evil.test')] }))],
      'hello-other-name',
    ],
    [
      'a name with a dot',
      [records(hello({ extensions: [serverName('web.test.')] }))],
      'hello-other-name',
    ],
    [
      'a name and a NUL',
      [records(hello({ extensions: [serverName('web.test\0')] }))],
      'hello-other-name',
    ],
    [
      'two names',
      [records(hello({ extensions: [serverName('web.test'), serverName('evil.test')] }))],
      'hello-malformed',
    ],
    [
      '1-byte records',
      [records(hello({ extensions: [serverName('web.test')] }), 1)],
      'hello-malformed',
    ],
    [
      'a hidden name',
      [
        records(
          hello({ extensions: [serverName('web.test'), extension(0xfe0d, Buffer.alloc(9))] }),
        ),
      ],
      'hello-encrypted',
    ],
    ['too long a hello', [records(tooLong)], 'hello-too-long'],
  ])('is closed at %s, of which the host gets nothing', async (_what, pieces, reason) => {
    await using silent = await startSilent();
    await using proxy = await startProxy({
      entries: ['web.test'],
      lookup: publicName,
      leadsTo: silent.port,
    });
    const socket = await openTunnel(proxy.port, 'web.test:443');
    for (const piece of pieces) socket.write(piece);
    expect(await restOf(socket)).toBe('');
    expect(await refusalOf(proxy)).toBe(reason);
    expect(proxy.records[0]?.decision).toBe('refused');
    expect(silent.received()).toBe('');
  });

  it('is closed when the hello does not come in time', async () => {
    await using silent = await startSilent();
    const ceilings = { helloMs: 400 };
    await using proxy = await startProxy({
      entries: ['web.test'],
      lookup: publicName,
      leadsTo: silent.port,
      ceilings,
    });
    const socket = await openTunnel(proxy.port, 'web.test:443');
    socket.write(records(hello({ extensions: [serverName('web.test')] })).subarray(0, 40));
    expect(await restOf(socket)).toBe('');
    expect(await refusalOf(proxy)).toBe('too-slow');
    expect(silent.received()).toBe('');
  });

  it.each([
    ['evil.test:443', 'host-not-listed', 403],
    ['web.test:80', 'port-not-listed', 403],
    ['127.0.0.1:443', 'address-not-listed', 403],
    ['[::1]:443', 'address-not-listed', 403],
    ['[::ffff:127.0.0.1]:443', 'host-malformed', 400],
    ['2130706433:443', 'host-malformed', 400],
    ['web.test', 'host-malformed', 400],
    ['web.test:', 'host-malformed', 400],
    ['web.test:443:443', 'host-malformed', 400],
    ['http://web.test:443', 'host-malformed', 400],
    ['web.test@evil.test:443', 'host-malformed', 400],
    ['web.test:443/', 'host-malformed', 400],
    ['w%65b.test:443', 'host-malformed', 400],
    ['xn--a.test:443', 'host-malformed', 400],
    ['m\xfcnchen.test:443', 'head-malformed', 400],
    ['web.test:99999', 'host-malformed', 400],
    ['web.test\t:443', 'head-malformed', 400],
    ['web.test :443', 'head-malformed', 400],
    ['web.test\r\nX:443', 'head-malformed', 400],
    ['web.test\n:443', 'head-malformed', 400],
    ['web.test#:443', 'host-malformed', 400],
    ['web.test\\:443', 'host-malformed', 400],
    ['web.test%00:443', 'host-malformed', 400],
  ])('to %s is refused and nobody is dialled', async (target, reason, status) => {
    await using proxy = await startProxy({ entries: ['web.test:443'], lookup: publicName });
    const answer = await talk(
      proxy.port,
      Buffer.from(`CONNECT ${target} HTTP/1.1\r\n\r\n`, 'latin1'),
    );
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(await refusalOf(proxy)).toBe(reason);
    expect(proxy.dialled).toEqual([]);
  });

  it('to a host that does not answer is told so, as is one that has no address', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const lookup = (name: string) =>
      name === 'web.test' ? publicName() : Promise.reject(new Error('ENOTFOUND'));
    await using proxy = await startProxy({
      entries: ['*.test.test', 'web.test'],
      lookup,
      leadsTo: port,
    });
    expect(await talk(proxy.port, 'CONNECT web.test:443 HTTP/1.1\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 502 .*upstream-unreachable/s,
    );
    expect(await talk(proxy.port, 'CONNECT no.test.test:443 HTTP/1.1\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 502 .*host-unresolved/s,
    );
    const made = await proxy.recorded(2);
    expect(made.map(({ decision }) => decision)).toEqual(['allowed', 'allowed']);
  });

  it('falls back to the next address that was checked', async () => {
    await using origin = await startTlsOrigin(authority);
    const entries = [
      `web.test:${origin.port}`,
      `127.0.0.1:${origin.port}`,
      `127.0.0.2:${origin.port}`,
    ];
    const lookup = () => Promise.resolve(['127.0.0.2', '127.0.0.1']);
    await using proxy = await startProxy({ entries, lookup });
    const socket = await openTunnel(proxy.port, `web.test:${origin.port}`);
    await secured(socket, { servername: 'web.test', ca: authority.certificatePem });
    expect(proxy.dialled.map(({ address }) => address)).toEqual(['127.0.0.2', '127.0.0.1']);
    socket.destroy();
    expect((await proxy.recorded(1))[0]?.address).toBe('127.0.0.1');
  });
});

describe('a tunnel by SOCKS5', () => {
  const greeting = Buffer.from([5, 1, 0]);
  const request = (command: number, kind: number, ...rest: (Buffer | string)[]) =>
    Buffer.concat([Buffer.from([5, command, 0, kind]), ...rest.map((part) => Buffer.from(part))]);
  const named = (name: string, port: number, command = 1) =>
    request(command, 3, Buffer.from([name.length]), name, Buffer.from([port >> 8, port & 0xff]));

  it('carries TLS that names the authorised host', async () => {
    await using origin = await startTlsOrigin(authority);
    const entries = [`web.test:${origin.port}`, `127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries });
    const socket = open(proxy.port);
    socket.write(greeting);
    expect([...(await next(socket))]).toEqual([5, 0]);
    socket.write(named('web.test', origin.port));
    expect([...(await next(socket))]).toEqual([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    const tls = await secured(socket, { servername: 'web.test', ca: authority.certificatePem });
    tls.write('GET /s HTTP/1.1\r\nHost: web.test\r\nConnection: close\r\n\r\n');
    expect(await restOf(tls)).toMatch(/seen GET \/s$/);
    expect((await proxy.recorded(1))[0]).toMatchObject({
      door: 'socks5',
      host: 'web.test',
      decision: 'allowed',
    });
  });

  it.each([
    ['a name that is not listed', named('evil.test', 443), 2, 'host-not-listed'],
    ['another port', named('web.test', 22), 2, 'port-not-listed'],
    ['an address as a name', named('127.0.0.1', 443), 2, 'address-not-listed'],
    [
      'an IPv4 address',
      request(1, 1, Buffer.from([127, 0, 0, 1, 1, 187])),
      2,
      'address-not-listed',
    ],
    [
      'an IPv6 address',
      request(1, 4, Buffer.from([...Array.from({ length: 15 }, () => 0), 1, 1, 187])),
      2,
      'address-not-listed',
    ],
    [
      'a mapped address',
      request(
        1,
        4,
        Buffer.from([...Array.from({ length: 10 }, () => 0), 255, 255, 127, 0, 0, 1, 1, 187]),
      ),
      2,
      'host-malformed',
    ],
    ['a name with a NUL', named('web.test\0', 443), 2, 'host-malformed'],
    ['BIND', named('web.test', 443, 2), 7, 'protocol-unknown'],
    ['UDP', named('web.test', 443, 3), 7, 'protocol-unknown'],
    ['an unknown kind of address', request(1, 9, Buffer.alloc(8)), 2, 'head-malformed'],
    ['port 0', named('web.test', 0), 2, 'head-malformed'],
  ])('for %s is refused and nobody is dialled', async (_what, bytes, code, reason) => {
    await using proxy = await startProxy({ entries: ['web.test:443'], lookup: publicName });
    const answer = Buffer.from(await talk(proxy.port, greeting, bytes), 'latin1');
    expect([...answer.subarray(0, 4)]).toEqual([5, 0, 5, code]);
    expect(await refusalOf(proxy)).toBe(reason);
    expect(proxy.dialled).toEqual([]);
  });

  it('wants no proof of who asks, and offers none', async () => {
    await using proxy = await startProxy({ entries: ['web.test'] });
    expect(await talk(proxy.port, Buffer.from([5, 1, 2]))).toBe('');
    expect(await talk(proxy.port, Buffer.from([5, 0]))).toBe('');
    const made = await proxy.recorded(2);
    expect(made.map(({ reason }) => reason)).toEqual(['protocol-unknown', 'protocol-unknown']);
  });
});
