import { createServer } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  listen,
  open,
  PUBLIC_ADDRESS,
  refusalOf,
  restOf,
  startOrigin,
  startProxy,
  talk,
} from './proxy.fixture.ts';

const publicName = () => Promise.resolve([PUBLIC_ADDRESS]);

describe('a plain request to a listed host', () => {
  it('arrives with the host that was authorised and without what concerns the connection', async () => {
    await using origin = await startOrigin();
    const entries = [`web.test:${origin.port}`, `127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries });
    const answer = await talk(
      proxy.port,
      `GET http://WEB.test.:${origin.port}/a?b=c HTTP/1.1\r\nHost: other.test\r\nProxy-Authorization: Basic eA==\r\nConnection: keep-alive, x-own\r\nX-Own: 1\r\nX-Kept: 2\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/);
    expect(answer.endsWith('seen GET /a?b=c')).toBe(true);
    expect(origin.requests[0]?.headers).toEqual({
      host: `web.test:${origin.port}`,
      'x-kept': '2',
      connection: 'close',
    });
    const [record] = await proxy.recorded(1);
    expect(record).toMatchObject({
      sandbox: 'box',
      door: 'http',
      host: 'web.test',
      port: origin.port,
      address: '127.0.0.1',
      decision: 'allowed',
      reason: '',
      rule: `web.test:${origin.port}`,
      request: 'GET /a',
    });
    expect(record?.bytesUp).toBeGreaterThan(50);
    expect(record?.bytesDown).toBeGreaterThan(50);
  });

  it('carries a body of a known length, and a chunked one written anew', async () => {
    await using origin = await startOrigin(({ body }) => `got ${body}`);
    const entries = [`127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries });
    const start = `POST http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: x\r\n`;
    expect(await talk(proxy.port, `${start}Content-Length: 5\r\n\r\nhe`, 'llo')).toMatch(
      /got hello$/,
    );
    const chunks = ['3\r\nabc\r', '\n00', '2\r\nde\r\n0\r\n', '\r\n'];
    const chunked = await talk(proxy.port, `${start}Transfer-Encoding: Chunked\r\n\r\n`, ...chunks);
    expect(chunked).toMatch(/got abcde$/);
  });

  it('is answered even if the host does not wait for all of it', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nfull'),
      );
    });
    const port = await listen(server);
    await using proxy = await startProxy({ entries: [`127.0.0.1:${port}`] });
    const start = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n`;
    const answer = await talk(proxy.port, start, Buffer.alloc(3_000_000));
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*full$/s);
    expect((await proxy.recorded(1))[0]).toMatchObject({ decision: 'allowed', reason: '' });
    server.close();
  });

  it('may be told to go on first, but not to change the protocol', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (chunk: Buffer) => {
        const isUpgrade = chunk.includes('/up');
        socket.write(`HTTP/1.1 ${isUpgrade ? 101 : 100} Go\r\nX-A: 1\r\n\r\n`);
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    const port = await listen(server);
    await using proxy = await startProxy({ entries: [`127.0.0.1:${port}`] });
    const ask = (path: string) =>
      talk(
        proxy.port,
        `GET http://127.0.0.1:${port}${path} HTTP/1.1\r\nHost: x\r\nUpgrade: y\r\nConnection: upgrade\r\n\r\n`,
      );
    expect(await ask('/go')).toMatch(/^HTTP\/1\.1 100 Interim\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(await ask('/up')).toMatch(/^HTTP\/1\.1 502 /);
    server.close();
  });

  it('is one request: a second one on the connection goes nowhere', async () => {
    await using origin = await startOrigin();
    const entries = [`127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries });
    const request = `GET http://127.0.0.1:${origin.port}/1 HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = await talk(proxy.port, request + request.replace('/1 ', '/2 '));
    expect(answer.match(/HTTP\/1\.1 200/g)?.length).toBe(1);
    await proxy.recorded(1);
    expect(origin.requests.map(({ line }) => line)).toEqual(['GET /1']);
  });

  it('may be limited to methods and paths', async () => {
    await using origin = await startOrigin();
    const entries = [`GET 127.0.0.1:${origin.port}/v1/**`];
    await using proxy = await startProxy({ entries });
    const ask = (method: string, path: string, more = '') =>
      talk(
        proxy.port,
        `${method} http://127.0.0.1:${origin.port}${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`,
      );
    expect(await ask('GET', '/v1/a%7Eb?q=1')).toMatch(/seen GET \/v1\/a~b\?q=1$/);
    expect(await ask('POST', '/v1/a')).toMatch(/^HTTP\/1\.1 403 .*request-not-listed/s);
    expect(await ask('GET', '/v2/a')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('GET', '/v1/../v2')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('GET', '/v1/%2e%2e/v2')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('GET', '/v1/a%2Fb')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('GET', '/v1/a', 'X-HTTP-Method-Override: DELETE\r\n')).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(origin.requests.length).toBe(1);
  });
});

describe('a plain request that is refused', () => {
  it.each([
    ['a host that is not listed', 'http://evil.test/', 'host-not-listed', 403],
    ['another port of a listed host', 'http://web.test:81/', 'port-not-listed', 403],
    ['the apex of a wildcard', 'http://wild.test/', 'host-not-listed', 403],
    ['an address', 'http://127.0.0.1/', 'address-not-listed', 403],
    ['an IPv6 address', 'http://[::1]/', 'address-not-listed', 403],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/', 'host-malformed', 400],
    ['an address with a zone', 'http://[fe80::1%25eth0]/', 'head-malformed', 400],
    ['a decimal address', 'http://2130706433/', 'host-malformed', 400],
    ['an octal address', 'http://0177.0.0.1/', 'host-malformed', 400],
    ['a hexadecimal address', 'http://0x7f.1/', 'host-malformed', 400],
    ['a short address', 'http://127.1/', 'host-malformed', 400],
    ['a user', 'http://web.test@evil.test/', 'head-malformed', 400],
    ['a user that looks like the host', 'http://web.test:80@evil.test/', 'head-malformed', 400],
    ['a fragment', 'http://web.test#.evil.test/', 'head-malformed', 400],
    ['a backslash', 'http://web.test\\.evil.test/', 'head-malformed', 400],
    ['an escape in the host', 'http://web%2etest/', 'head-malformed', 400],
    ['an underscore', 'http://web_.test/', 'host-malformed', 400],
    ['two trailing dots', 'http://web.test../', 'host-malformed', 400],
    ['another scheme', 'https://web.test/', 'head-malformed', 400],
    ['a path alone', '/etc/passwd', 'head-malformed', 400],
    ['port 0', 'http://web.test:0/', 'head-malformed', 400],
    ['a port with a leading zero', 'http://web.test:080/', 'head-malformed', 400],
    ['a long name', `http://${'a.'.repeat(125)}test/`, 'host-malformed', 400],
    ['a long label', `http://${'a'.repeat(64)}.test/`, 'host-malformed', 400],
  ])('because of %s dials nobody', async (_what, target, reason, status) => {
    const entries = ['web.test', '*.below.wild.test', '*.wild.test:8080'];
    await using proxy = await startProxy({ entries, lookup: publicName });
    const answer = await talk(proxy.port, `GET ${target} HTTP/1.1\r\nHost: web.test\r\n\r\n`);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(await refusalOf(proxy)).toBe(reason);
    expect(proxy.dialled).toEqual([]);
  });

  it.each([
    ['both lengths', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 3\r\n'],
    ['a list of lengths', 'Content-Length: 3, 3\r\n'],
    ['a signed length', 'Content-Length: +3\r\n'],
    ['another encoding', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['two encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
    ['a folded line', 'X-A: 1\r\n folded\r\n'],
    ['a space before the colon', 'Content-Length : 3\r\n'],
    ['a bare line feed', 'X-A: 1\nContent-Length: 3\r\n'],
    ['a bare carriage return', 'X-A: 1\rContent-Length: 3\r\n'],
    ['a NUL', 'X-A: 1\0\r\n'],
    ['a line without a name', ': 1\r\n'],
    ['two hosts', 'Host: web.test\r\n'],
  ])('because of %s dials nobody', async (_what, fields) => {
    await using proxy = await startProxy({ entries: ['web.test'], lookup: publicName });
    const start = 'POST http://web.test/ HTTP/1.1\r\nHost: web.test\r\n';
    const answer = await talk(proxy.port, `${start}${fields}\r\nabc`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(await refusalOf(proxy)).toBe('head-malformed');
    expect(proxy.dialled).toEqual([]);
  });

  it.each([
    ['HTTP/1.0', 'GET http://web.test/ HTTP/1.0\r\nHost: web.test\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a small method', 'GeT http://web.test/ HTTP/1.1\r\nHost: web.test\r\n\r\n'],
    ['TRACE', 'TRACE http://web.test/ HTTP/1.1\r\nHost: web.test\r\n\r\n'],
    ['two spaces', 'GET  http://web.test/ HTTP/1.1\r\nHost: web.test\r\n\r\n'],
    ['a tab in the target', 'GET http://web.test/\t HTTP/1.1\r\nHost: web.test\r\n\r\n'],
  ])('because of %s dials nobody', async (_what, request) => {
    await using proxy = await startProxy({ entries: ['web.test'], lookup: publicName });
    expect(await talk(proxy.port, request)).toMatch(/^HTTP\/1\.1 400 /);
    expect(proxy.dialled).toEqual([]);
  });

  it.each([
    ['xyz\r\n'],
    ['3;a=b\r\nabc\r\n0\r\n\r\n'],
    ['3\nabc\n0\n\n'],
    ['3\r\nabcd\r\n'],
    ['-1\r\n'],
    ['0x3\r\nabc\r\n'],
    ['3\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n'],
    ['ffffffffff\r\n'],
  ])('because of the chunk %j is cut off', async (body) => {
    await using origin = await startOrigin();
    const entries = [`127.0.0.1:${origin.port}`];
    await using proxy = await startProxy({ entries });
    const start = `POST http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: x\r\n`;
    await talk(proxy.port, `${start}Transfer-Encoding: chunked\r\n\r\n${body}`);
    expect(await refusalOf(proxy)).toBe('body-malformed');
    expect(origin.requests.every(({ body: seen }) => seen === '(cut off)')).toBe(true);
  });

  it('because nothing is listed reaches nothing', async () => {
    await using proxy = await startProxy({ entries: [], lookup: publicName });
    const answer = await talk(
      proxy.port,
      'GET http://web.test/ HTTP/1.1\r\nHost: web.test\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(proxy.dialled).toEqual([]);
  });

  it.each([
    ['\x04\x01\x00\x50\x7f\x00\x00\x01\x00', 'SOCKS4'],
    ['\x16\x03\x01\x00\x05hello', 'TLS'],
    ['\r\nGET / HTTP/1.1\r\n\r\n', 'an empty line first'],
    ['\0', 'a NUL'],
  ])('because it starts with %j is closed without a word', async (bytes) => {
    await using proxy = await startProxy({ entries: ['web.test'] });
    expect(await talk(proxy.port, Buffer.from(bytes, 'latin1'))).toBe('');
    expect(await refusalOf(proxy)).toBe('protocol-unknown');
  });
});

describe('a listed name', () => {
  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['192.168.1.1'],
    ['172.16.0.1'],
    ['169.254.1.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['::1'],
    ['::ffff:93.184.216.34'],
    ['64:ff9b::5db8:d822'],
    ['2002:5db8:d822::1'],
    ['fd00::1'],
    ['fe80::1%eth0'],
    ['not an address'],
  ])('that leads to %s is refused and nothing is dialled', async (address) => {
    const lookup = () => Promise.resolve([PUBLIC_ADDRESS, address]);
    await using proxy = await startProxy({ entries: ['web.test'], lookup });
    const answer = await talk(
      proxy.port,
      'GET http://web.test/ HTTP/1.1\r\nHost: web.test\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*address-forbidden/s);
    expect(proxy.dialled).toEqual([]);
  });

  it('is looked up once, and the address that was checked is dialled', async () => {
    await using origin = await startOrigin();
    const asked: string[] = [];
    const lookup = (name: string) => {
      asked.push(name);
      return Promise.resolve(asked.length === 1 ? [PUBLIC_ADDRESS] : ['127.0.0.1']);
    };
    await using proxy = await startProxy({ entries: ['web.test'], lookup, leadsTo: origin.port });
    await talk(proxy.port, 'GET http://web.test/ HTTP/1.1\r\nHost: web.test\r\n\r\n');
    expect(asked).toEqual(['web.test']);
    expect(proxy.dialled).toEqual([{ address: PUBLIC_ADDRESS, port: 80 }]);
  });
});

describe('whatever a sandbox sends', () => {
  it('leads nowhere but to a listed host and port, and is no fault of the proxy', async () => {
    await using origin = await startOrigin();
    const entries = ['web.test:80', 'GET api.test:443/v1/**'];
    const lookup = publicName;
    await using proxy = await startProxy({ entries, lookup, leadsTo: origin.port });
    const words = fc.constantFrom(
      'GET ',
      'CONNECT ',
      'http://',
      'web.test',
      'api.test',
      'evil.test',
      '127.0.0.1',
      ':80',
      ':443',
      ':22',
      '/',
      '/v1/',
      '..',
      '%2f',
      '@',
      '#',
      '[::1]',
      ' HTTP/1.1',
      '\r\n',
      '\n',
      '\r\n\r\n',
      'Host: web.test',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      ' x',
      '\0',
      '\u0005\u0001\u0000',
      '\u0005\u0001\u0000\u0003\u0008web.test\u0000\u0050',
      '\u0016\u0003\u0001\u0000\u0005',
    );
    const line = fc.constantFrom('GET http://web.test/ HTTP/1.1\r\nHost: web.test\r\n', '');
    const text = fc
      .tuple(line, fc.array(words, { maxLength: 12 }))
      .map(([start, rest]) => start + rest.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (sent) => {
        const socket = open(proxy.port);
        socket.end(Buffer.from(sent, 'latin1'));
        await restOf(socket);
      }),
      { numRuns: 300 },
    );
    const allowed = proxy.dialled.every(
      ({ address, port }) => address === PUBLIC_ADDRESS && (port === 80 || port === 443),
    );
    expect(allowed).toBe(true);
    expect(origin.requests.every(({ headers }) => headers['host'] === 'web.test')).toBe(true);
    expect(origin.requests.length).toBeGreaterThan(0);
  });
});
