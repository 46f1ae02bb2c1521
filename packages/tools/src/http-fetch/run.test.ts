import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createRawServer } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { JsonObject } from '@palyra/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { createCatalogue } from '../catalogue.ts';
import type { FetchLimits, WebTarget } from './hands.ts';
import { createReadableText } from './readable-text.ts';
import { runHttpFetch } from './run.ts';

const NEVER = new AbortController().signal;
const open: Disposable[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server[Symbol.dispose]();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  open.push({
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return await portOf(server.listen(0, '127.0.0.1'));
}

async function portOf(server: ReturnType<typeof createRawServer>): Promise<number> {
  await once(server, 'listening');
  const address = server.address();
  const { port }: Pick<AddressInfo, 'port'> =
    typeof address === 'object' && address ? address : { port: 0 };
  return port;
}

/** Every name leads to one port of this machine; who may be reached is tested where it is decided. */
async function fetchFrom(
  port: number,
  args: JsonObject = {},
  { limits = {}, signal = NEVER }: { limits?: Partial<FetchLimits>; signal?: AbortSignal } = {},
) {
  const understood = createCatalogue()
    .find('http.fetch')
    ?.understand({ url: 'http://site.example/a', ...args }, '/workspace');
  if (understood?.kind !== 'understood') throw new TypeError(understood?.reason ?? 'no tool');
  const reached: WebTarget[] = [];
  const endings: string[] = [];
  const reach = async (to: WebTarget, ended: AbortSignal) => {
    reached.push(to);
    const stream = connect({ host: '127.0.0.1', port }).on('error', () => {});
    ended.addEventListener('abort', () => stream.destroy());
    await once(stream, 'connect');
    return {
      stream,
      end: (ending: string) => {
        endings.push(ending);
        stream.destroy();
      },
    };
  };
  const hands = {
    web: { reach },
    readableText: createReadableText(),
    limits: { maxBytes: 100_000, timeoutMs: 20_000, ...limits },
  };
  const output = await runHttpFetch(understood.arguments, hands, signal);
  const said =
    output.kind === 'succeeded'
      ? Buffer.from(output.bytes).toString()
      : `${output.error.code}: ${output.error.message}`;
  const artifact = output.kind === 'succeeded' ? output.artifact : undefined;
  return { said, reached, endings, artifact };
}

describe('http.fetch', () => {
  it('sends what the call says and gives status, the headers one acts on, and the text', async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      const { method, url, headers } = request;
      void request.toArray().then((body) => {
        seen.push([method, url, headers['host'], headers['x-a'], Buffer.concat(body).toString()]);
        response.writeHead(201, {
          'content-type': 'application/json; charset=utf-8',
          etag: '"1"',
          'set-cookie': 'session=secret',
        });
        response.end('{"a":"é"}');
      });
    });
    const url = 'http://site.example:8080/v1?q=a%20b#x';
    const headers = [{ name: 'X-A', value: 'b' }];
    const { said, reached, endings } = await fetchFrom(port, {
      url,
      method: 'post',
      headers,
      body: 'hi€',
    });
    expect(said).toBe(
      'HTTP 201 Created; application/json in utf-8; 10 bytes\netag: "1"\n\n{"a":"é"}',
    );
    expect(seen).toEqual([['POST', '/v1?q=a%20b', 'site.example:8080', 'b', 'hi€']]);
    expect(reached).toEqual([
      { host: 'site.example', port: 8080, scheme: 'http', request: 'POST /v1' },
    ]);
    expect(endings).toEqual(['fine']);
  });

  it.each([
    [
      'text/plain; charset=iso-8859-1',
      Buffer.from([0x63, 0x61, 0x66, 0xe9]),
      'windows-1252',
      'café',
    ],
    ['text/plain; charset="Shift_JIS"', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'shift_jis', '日本'],
    ['application/xml', Buffer.from('<a>é</a>'), 'utf-8', '<a>é</a>'],
    ['text/csv', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'windows-1252', 'café'],
    ['text/plain', Buffer.from([0xff, 0xfe, 0x61, 0x00]), 'utf-16le', 'a'],
    ['nonsense', Buffer.from('plain é'), 'utf-8', 'plain é'],
  ])('reads %s in its own letters', async (type, body, charset, text) => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const { said } = await fetchFrom(port);
    expect(said).toContain(` in ${charset}; `);
    expect(said.split('\n\n')[1]).toBe(text);
  });

  it('tells what a page says, without what only browsers need', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        '<html><head><title>T</title><style>b{}</style><script>evil()</script></head><body>' +
          '<nav>menu</nav><h1>Title</h1><p>One <b>two</b><br>three</p><a href="/x">link</a>' +
          '<ul><li>a</li><li>b</li></ul></body></html>',
      );
    });
    const { said } = await fetchFrom(port);
    expect(said).toContain('text/html in utf-8; ');
    expect(said).toContain('; what the page says\n');
    expect(said).toContain('Title\n');
    expect(said).toContain('One two\nthree');
    expect(said).toContain('link [http://site.example/x]');
    for (const unseen of ['evil', 'menu', 'b{}', '<']) expect(said).not.toContain(unseen);
  });

  it.each([
    '<p hidden>unseen</p>',
    '<p HIDDEN="until-found" style="color:red">unseen</p>',
    '<div style="display:none"><p>unseen</p></div>',
    '<h1 style="color: red; Display : NONE !important">unseen</h1>',
    '<span style="visibility: hidden">unseen</span>',
    '<a href="/unseen" aria-hidden="true">unseen</a>',
    '<template><p>unseen</p></template>',
    '<ul hidden><li>unseen</li></ul><ul><li>a</li><li hidden>unseen</li></ul>',
    '<table hidden><tr><td>unseen</td></tr></table>',
    '<table><tbody><tr hidden><td>unseen</td></tr><tr><td aria-hidden="true">unseen</td></tr></table>',
    '<body hidden>unseen</body>',
  ])('leaves out of a page what nobody sees in it: %s', async (html) => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`${html}<p>seen</p>`);
    });
    const { said } = await fetchFrom(port);
    expect(said).toContain('seen');
    expect(said).not.toContain('unseen');
  });

  it.each([
    ['<p style="color: red" aria-hidden="false">a</p>', 'a'],
    ['<p style="--display:none;display:nonesuch">a</p>', 'a'],
    ['<h1 style="a:b">a</h1><ol style="a:b"><li style="a:b">b</li></ol>', 'a\n\n 1. b'],
    ['<a href="/x" style="a:b">a</a>', 'a [http://site.example/x]'],
    ['<table style="a:b"><tr style="a:b"><th style="a:b">a<td>b</table>', 'a   b'],
    ['<nav style="a:b">menu</nav>a', 'a'],
    ['<title>\n The  &amp;\n title </title><p>a</p>', 'The & title\n\na'],
    ['<html><head><title>T</title></head><body><p>a</p></body></html>', 'T\n\na'],
    ['<body>a<svg><title>icon</title></svg></body>', 'a'],
    ['<p>a</p><title>late</title><title>later</title>', 'late\n\na'],
  ])('reads %s as %j', async (html, text) => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const { said } = await fetchFrom(port);
    expect(said.slice(said.indexOf('\n\n') + 2)).toBe(text);
  });

  it('gives the source of a page that takes too long to read, and says so', async () => {
    const html = '<div>'.repeat(400_000);
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const limits = { maxBytes: 5_000_000, timeoutMs: 1500 };
    const { said } = await fetchFrom(port, {}, { limits });
    expect(said.slice(0, said.indexOf('\n'))).toBe(
      'HTTP 200 OK; text/html in utf-8; 2000000 bytes; ' +
        'its source, because it could not be turned into text: it took too long',
    );
    expect(said.endsWith(`\n\n${html}`)).toBe(true);
  });

  it('is cancelled while it reads a page', async () => {
    const stop = new AbortController();
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(400_000));
      response.once('close', () => stop.abort());
    });
    const limits = { maxBytes: 5_000_000 };
    const { said } = await fetchFrom(port, {}, { limits, signal: stop.signal });
    expect(said).toBe('CANCELLED: the call was cancelled');
  });

  it.each(['image/png', 'application/octet-stream', 'application/zip'])(
    'keeps what is no text, such as %s, and names it',
    async (type) => {
      const bytes = Buffer.from([0, 1, 2, 255]);
      const port = await serve((_, response) => {
        response.writeHead(200, { 'content-type': type }).end(bytes);
      });
      const { said, artifact } = await fetchFrom(port);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(said).toContain(`its 4 bytes are kept as artifact sha256:${sha256}\n`);
      expect(artifact).toEqual(bytes);
    },
  );

  it('does not take a text with NUL for one, nor one in letters that nobody knows', async () => {
    for (const type of ['text/plain', 'text/plain; charset=klingon']) {
      const port = await serve((_, response) => {
        response.writeHead(200, { 'content-type': type }).end('a\0b');
      });
      expect((await fetchFrom(port)).said).toContain('not a text');
    }
  });

  it('unpacks what was packed, and takes no more of it than may be taken', async () => {
    const text = 'x'.repeat(1_000_000);
    const packed = new Map([
      ['gzip', gzipSync(text)],
      ['zstd', zstdCompressSync(text)],
    ]);
    for (const [encoding, body] of packed) {
      const port = await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding });
        response.end(body);
      });
      const { said } = await fetchFrom(port, {}, { limits: { maxBytes: 5000 } });
      expect(said).toContain('5000 bytes, cut there');
      expect(said.split('\n\n')[1]).toBe('x'.repeat(5000));
    }
  });

  it('gives up a text that has no end where it may take no more, and refuses anything else', async () => {
    for (const [type, expected] of [
      ['text/plain', '2000 bytes, cut there'],
      ['image/png', 'TOOL_FAILED: the answer is not a text, and longer than 2000 bytes'],
    ]) {
      const port = await serve((_, response) => {
        response.writeHead(200, { 'content-type': type });
        const more = () => {
          if (!response.destroyed) response.write('y'.repeat(10_000), () => setImmediate(more));
        };
        more();
      });
      expect((await fetchFrom(port, {}, { limits: { maxBytes: 2000 } })).said).toContain(expected);
    }
  });

  it.each([
    ['as it is', {}, ''],
    ['packed', { 'content-encoding': 'gzip' }, 'content-encoding: gzip\n'],
    ['packed in an unknown way', { 'content-encoding': 'rare' }, 'content-encoding: rare\n'],
  ])('tells with HEAD what a page would be that comes %s', async (_, packing, told) => {
    const port = await serve((_request, response) => {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': 1234,
        ...packing,
        'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT',
        etag: '"1"',
        'set-cookie': 'session=secret',
      });
      response.end();
    });
    const { said, artifact } = await fetchFrom(port, { method: 'HEAD' });
    expect(said).toBe(
      `HTTP 200 OK; only its head was asked for\ncontent-type: text/html; charset=utf-8\ncontent-length: 1234\n${told}` +
        'last-modified: Wed, 21 Oct 2015 07:28:00 GMT\netag: "1"\n\n',
    );
    expect(artifact).toBeUndefined();
  });

  it('takes an answer without a body for one, however it says it is packed', async () => {
    const port = await serve((_, response) => {
      response.writeHead(304, { 'content-encoding': 'gzip', etag: '"1"' }).end();
    });
    expect((await fetchFrom(port)).said).toBe('HTTP 304 Not Modified; no content\netag: "1"\n\n');
  });

  it.each([
    ['another host', 'http://other.example/x', 'GET'],
    ['another port', 'http://site.example:81/', 'GET'],
    ['another scheme', 'https://site.example/', 'GET'],
    ['an address', 'http://169.254.169.254/latest', 'GET'],
    ['another path of the same host', 'http://site.example/b', 'GET'],
    ['the same host with another method', 'http://site.example/b', 'POST'],
  ])('does not follow to %s, and says where it leads', async (_, location, method) => {
    const port = await serve(
      (_request, response) => void response.writeHead(302, { location }).end(),
    );
    const { said, reached } = await fetchFrom(port, { method });
    expect(said).toContain(`it leads to \`${location}\`; fetch that if it is meant; no content`);
    expect(reached).toHaveLength(1);
  });

  it.each(['file:///etc/passwd', 'http://a@site.example/', 'javascript:alert(1)', 'http://[bad'])(
    'makes nothing of a redirect to %s',
    async (location) => {
      const port = await serve(
        (_request, response) => void response.writeHead(302, { location }).end(),
      );
      const { said, reached } = await fetchFrom(port);
      expect(said).toContain('HTTP 302 Found; it leads to an address that ');
      expect(reached).toHaveLength(1);
    },
  );

  it('shows nothing of a head that could be taken for ours', async () => {
    const port = await serveRaw(
      'HTTP/1.1 200 fine\x1b[2J\r\ncontent-type: text/plain\r\netag: a\x1b[31m\r\n\r\nbody',
    );
    const { said } = await fetchFrom(port);
    expect(said).not.toContain('\x1b');
    expect(said).toMatch(/^(?:HTTP 200 fine|TOOL_FAILED)/);
  });

  it.each([
    ['nothing', ''],
    ['no HTTP', 'hello there\r\n\r\n'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['an endless head', `HTTP/1.1 200 OK\r\n${'a: long enough\r\n'.repeat(10_000)}\r\n`],
    ['broken packing', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nnot packed'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
  ])('fails on a host that answers with %s', async (_, bytes) => {
    const { said, endings } = await fetchFrom(await serveRaw(bytes));
    expect(said).toBe('TOOL_FAILED: the host did not answer with a whole answer in HTTP');
    expect(endings).toEqual(['malformed']);
  });

  it('waits no longer than it may for a host that says nothing, nor for one that never ends', async () => {
    const silent = await serve(() => {});
    const slow = await serve((_, response) => void response.writeHead(200).write('a'));
    for (const port of [silent, slow]) {
      const { said } = await fetchFrom(port, {}, { limits: { timeoutMs: 200 } });
      expect(said).toBe('SANDBOX_TIMED_OUT: there was no whole answer in 200 ms');
    }
  });

  it('is cancelled before and while it waits', async () => {
    const stop = new AbortController();
    const port = await serve(() => stop.abort());
    expect((await fetchFrom(port, {}, { signal: AbortSignal.abort() })).reached).toEqual([]);
    const { said } = await fetchFrom(port, {}, { signal: stop.signal });
    expect(said).toBe('CANCELLED: the call was cancelled');
  });
});

async function serveRaw(bytes: string): Promise<number> {
  const server = createRawServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  open.push({ [Symbol.dispose]: () => server.close() });
  return await portOf(server.listen(0, '127.0.0.1'));
}
