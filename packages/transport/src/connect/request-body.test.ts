import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2ServerRequest,
  connect as connectHttp2,
  createServer as createHttp2Server,
} from 'node:http2';
import { connect } from 'node:net';
import { Code } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { bodyOf } from './request-body.ts';

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';

type Reader = (request: IncomingMessage) => Promise<unknown>;

/** A caller that says what it is told to, and what a reader made of its request. */
async function asking(read: Reader) {
  const made = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    read(request)
      .then(made.resolve, made.resolve)
      .finally(() => response.end('answered'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const caller = connect(port, '127.0.0.1').on('error', () => undefined);
  caller.write(HEAD);
  return {
    caller,
    made: made.promise,
    say: (text: string) => caller.write(`${text.length.toString(16)}\r\n${text}\r\n`),
    [Symbol.dispose]: () => {
      caller.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(
  request: IncomingMessage | Http2ServerRequest,
  limit = Infinity,
): Promise<string> {
  const pieces = await Array.fromAsync(bodyOf(request, limit));
  return Buffer.concat(pieces).toString();
}

describe('the body of a request', () => {
  it('comes whole, in whichever pieces it is said', async () => {
    using call = await asking((request) => textOf(request));
    call.say('one ');
    await new Promise(setImmediate);
    call.say('two');
    call.caller.write('0\r\n\r\n');
    expect(await call.made).toBe('one two');
  });

  it('may be nothing, and over before anybody looks', async () => {
    using call = await asking(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return await textOf(request);
    });
    call.caller.write('0\r\n\r\n');
    expect(await call.made).toBe('');
  });

  it('that breaks off is its caller’s doing', async () => {
    using call = await asking((request) => textOf(request));
    call.say('one');
    setTimeout(() => call.caller.destroy(), 20);
    expect(await call.made).toMatchObject({
      code: Code.Aborted,
      rawMessage: 'the request broke off',
    });
  });

  it('that broke off before anybody looked is no shorter request', async () => {
    using call = await asking(async (request) => {
      const closed = new Promise((resolve) => request.on('close', resolve));
      call.caller.destroy();
      await closed;
      return await textOf(request);
    });
    call.say('one');
    expect(await call.made).toMatchObject({ rawMessage: 'the request broke off' });
  });

  it('is read no further than its bound', async () => {
    using call = await asking((request) => textOf(request, 4));
    call.say('12345');
    expect(await call.made).toMatchObject({
      code: Code.ResourceExhausted,
      rawMessage: 'the request is longer than 4 bytes',
    });
  });

  it('waits for whoever takes it', async () => {
    using call = await asking(async (request) => {
      const pieces = bodyOf(request, Infinity)[Symbol.asyncIterator]();
      await pieces.next();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return request.readableLength;
    });
    for (let megabytes = 0; megabytes < 8; megabytes += 1) call.say('x'.repeat(1_048_576));
    expect(await call.made).toBeLessThan(1_048_576);
  });

  it('that nobody wants any more is dropped, and its caller is answered', async () => {
    using call = await asking(async (request) => {
      for await (const piece of bodyOf(request, Infinity)) return piece.length > 0;
      return false;
    });
    const answer = once(call.caller, 'data');
    for (let megabytes = 0; megabytes < 8; megabytes += 1) call.say('x'.repeat(1_048_576));
    expect(await call.made).toBe(true);
    expect(String(await answer)).toContain('answered');
    call.caller.write('0\r\n\r\n');
  });
});

/** What a reader made of a request over HTTP/2 whose caller says half of it and then does this. */
async function askingOverHttp2(
  end: (stream: ClientHttp2Stream, session: ClientHttp2Session) => void,
  wait = 0,
) {
  const made = Promise.withResolvers<unknown>();
  const server = createHttp2Server((request, response) => {
    response.on('error', () => undefined);
    new Promise((resolve) => setTimeout(resolve, wait))
      .then(() => textOf(request))
      .then(made.resolve, made.resolve);
  }).listen(0, '127.0.0.1');
  server.on('sessionError', () => undefined);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const session = connectHttp2(`http://127.0.0.1:${port}`).on('error', () => undefined);
  const stream = session.request({ ':method': 'POST' }, { endStream: false });
  stream.on('error', () => undefined).write('first half');
  setTimeout(() => end(stream, session), 40);
  try {
    return await made.promise;
  } finally {
    session.destroy();
    server.close();
  }
}

describe('the body of a request over HTTP/2', () => {
  it('comes whole, and may be nothing', async () => {
    expect(await askingOverHttp2((stream) => stream.end(' and the rest'))).toBe(
      'first half and the rest',
    );
    expect(await askingOverHttp2((stream) => stream.end(), 100)).toBe('first half');
  });

  it.each<[string, Parameters<typeof askingOverHttp2>[0]]>([
    ['its connection breaks', (_, session) => session.socket.destroy()],
    ['its session is torn down', (_, session) => session.destroy()],
  ])('is no shorter one when %s in the middle', async (_, end) => {
    const broken = { code: Code.Aborted, rawMessage: 'the request broke off' };
    expect(await askingOverHttp2(end)).toMatchObject(broken);
    expect(await askingOverHttp2(end, 150)).toMatchObject(broken);
  });
});
