import { once } from 'node:events';
import { type ServerResponse, createServer, get } from 'node:http';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import { describe, expect, it } from 'vitest';
import { sendAnswer } from './send-answer.ts';

type Body = AsyncGenerator<Uint8Array, void, undefined>;

/** What is to happen before there is an answer. */
type Begin = (response: ServerResponse) => Promise<unknown>;

/** A server that answers everybody with this, and how that ended. */
async function answering(answer: UniversalServerResponse, begin: Begin = async () => undefined) {
  const sent = Promise.withResolvers<unknown>();
  const server = createServer((_, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    begin(response)
      .then(() => sendAnswer(answer, { response, signal: gone.signal }))
      .then(() => sent.resolve('sent'), sent.resolve);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    sent: sent.promise,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const MEGABYTE = new Uint8Array(1_048_576);

describe('an answer', () => {
  it('comes whole, with every header, and says when it is sent', async () => {
    const header = new Headers([
      ['content-type', 'text/plain'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    async function* body(): Body {
      header.set('late', 'said before the first piece');
      yield Buffer.from('one ');
      yield Buffer.from('two');
    }
    using site = await answering({ status: 201, header, body: body() });
    const heard = await fetch(site.url);
    expect({ status: heard.status, text: await heard.text() }).toEqual({
      status: 201,
      text: 'one two',
    });
    expect(heard.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(heard.headers.get('late')).toBe('said before the first piece');
    expect(await site.sent).toBe('sent');
  });

  it('may be nothing but a status', async () => {
    using site = await answering({ status: 204 });
    expect((await fetch(site.url)).status).toBe(204);
    expect(await site.sent).toBe('sent');
  });

  it('of one piece that says its length is sent as it is', async () => {
    const header = new Headers({ 'content-length': '3' });
    async function* body(): Body {
      yield Buffer.from('one');
    }
    using site = await answering({ status: 200, header, body: body() });
    const heard = await fetch(site.url);
    expect(heard.headers.get('transfer-encoding')).toBeNull();
    expect(await heard.text()).toBe('one');
    expect(await site.sent).toBe('sent');
  });

  it('of one piece is refused to its maker when the caller is gone', async () => {
    const header = new Headers({ 'content-length': '3' });
    let told: unknown;
    async function* body(): Body {
      try {
        yield Buffer.from('one');
      } catch (reason) {
        told = reason;
        throw reason;
      }
    }
    using site = await answering({ status: 200, header, body: body() }, (response) => {
      asking.destroy();
      return once(response, 'close');
    });
    const asking = get(site.url).on('error', () => undefined);
    expect(await site.sent).toMatchObject({ rawMessage: 'the caller went away' });
    expect(told).toMatchObject({ rawMessage: 'the caller went away' });
  });

  it('goes no further than it is read, and its maker hears of a caller who went away', async () => {
    let made = 0;
    let told: unknown;
    async function* body(): Body {
      try {
        for (;;) {
          made += 1;
          yield MEGABYTE;
        }
      } catch (reason) {
        told = reason;
        throw reason;
      }
    }
    using site = await answering({ status: 200, body: body() });
    const asking = get(site.url);
    const [response] = await once(asking, 'response');
    await once(response, 'readable');
    const before = made;
    // What the kernel keeps for a reader is a few megabytes; nobody reads the rest.
    expect(before).toBeLessThan(100);
    asking.destroy();
    expect(await site.sent).toMatchObject({ rawMessage: 'the caller went away' });
    expect(told).toMatchObject({ rawMessage: 'the caller went away' });
    expect(made).toBeLessThan(before + 100);
  });

  it('to a caller who is gone already is made for nobody, and its maker hears of it', async () => {
    let told: unknown;
    async function* body(): Body {
      try {
        for (;;) yield MEGABYTE;
      } catch (reason) {
        told = reason;
        throw reason;
      }
    }
    using site = await answering({ status: 200, body: body() }, (response) => {
      asking.destroy();
      return once(response, 'close');
    });
    const asking = get(site.url).on('error', () => undefined);
    expect(await site.sent).toMatchObject({ rawMessage: 'the caller went away' });
    expect(told).toMatchObject({ rawMessage: 'the caller went away' });
  });

  it('that breaks off is an error of whoever carries it', async () => {
    async function* body(): Body {
      yield Buffer.from('one');
      throw new Error('no more');
    }
    using site = await answering({ status: 200, body: body() });
    const asking = get(site.url).on('error', () => undefined);
    expect(await site.sent).toMatchObject({ message: 'no more' });
    asking.destroy();
  });
});
