import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Asked,
  type House,
  type Question,
  type Served,
  askConsole,
  callerOfHouse,
  mintToken,
  openHouse,
  serve,
} from '../../testing/house.ts';
import { transportSection } from '../transport-section.ts';

let house: House;
let stack: AsyncDisposableStack;
let served: Served;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  served = await serve(house, stack);
});
afterEach(() => stack.disposeAsync());

const CALL = '/palyra.v1.IdentityService/GetCaller';

const ask = (path: string, question?: Question): Promise<Asked> =>
  askConsole(served.console, path, question);

async function linkSecret(): Promise<string> {
  const { console } = house.test.gateway.identity;
  return (await console.createLink(await callerOfHouse(house))).secret;
}

function call(headers: Readonly<Record<string, string>>, path = CALL): Promise<Asked> {
  const all = { 'content-type': 'application/json', ...headers };
  return ask(path, { method: 'POST', headers: all, body: '{}' });
}

describe('the console port', () => {
  it('tells strangers that it is there, whether it is ready, and how to come in', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: 'ok' });
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: 'ok' });
    const page = await ask('/', { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain('The console is not built');
    expect(page.body).not.toContain('0.0.0-test');
  });

  it('refuses everything else in the same words, existing or not', async () => {
    const answers = await Promise.all(
      [CALL, '/palyra.v1.PairingService/BeginPairing', '/nowhere'].map((path) => call({}, path)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  it('hears the next call on a connection of which one was refused before it was whole', async () => {
    const { port, host } = new URL(served.console);
    const socket = connect(Number(port), '127.0.0.1');
    stack.defer(() => void socket.destroy());
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    const head = `POST ${CALL} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 2\r\n\r\n`;
    socket.write(head);
    await expect.poll(() => heard).toContain('401');
    socket.write(`{}GET /readyz HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    await expect.poll(() => heard).toMatch(/401[^]*200/);
  });

  it('sends its page with headers that let nothing foreign in', async () => {
    for (const path of ['/', '/assets/none.js', '/healthz', '/nowhere']) {
      const { headers } = await ask(path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each(['evil.example', 'evil.example:7142', '127.0.0.1', 'localhost', 'localhost:1', ''])(
    'refuses the host `%s`, also for what strangers may see',
    async (host) => {
      for (const path of ['/healthz', '/', CALL]) {
        const { status, headers } = await ask(path, { headers: { host } });
        expect(status).toBe(403);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
      }
    },
  );

  it.each(['https://evil.example', 'http://localhost:1', 'null', ''])(
    'refuses the origin `%s`, with a token too',
    async (origin) => {
      const authorization = `Bearer ${await mintToken(house)}`;
      expect((await call({ origin, authorization })).status).toBe(403);
      const opening = { method: 'POST', headers: { origin }, body: await linkSecret() };
      expect((await ask('/console/session', opening)).status).toBe(403);
    },
  );

  it('answers a token, within its scopes', async () => {
    const authorization = `Bearer ${await mintToken(house)}`;
    const { status, body } = await call({ authorization });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ kind: 'PRINCIPAL_KIND_TOKEN' });
    expect((await call({ authorization }, '/palyra.v1.RunService/ListRuns')).status).toBe(403);
    const ready = await ask('/readyz', { headers: { authorization } });
    expect(JSON.parse(ready.body)).toMatchObject({ readiness: 'ready' });
  });

  it('holds both addresses of localhost, so that nobody else can', async () => {
    const thief = createServer();
    thief.listen(Number(new URL(served.console).port), '::1');
    const [error] = await once(thief, 'error');
    expect(error).toMatchObject({ code: expect.stringMatching(/EADDRINUSE|EADDRNOTAVAIL/) });
  });

  it('says what to do when its address is taken', async () => {
    const settings = transportSection.parse({
      listen: '127.0.0.1:0',
      console: new URL(served.console).host,
    });
    await expect(serve(house, stack, { settings })).rejects.toMatchObject({
      code: 'ADDRESS_UNUSABLE',
      help: expect.stringContaining('`transport.console`'),
    });
  });
});
