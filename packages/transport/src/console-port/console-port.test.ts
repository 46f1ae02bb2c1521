import { createServer } from 'node:http';
import { once } from 'node:events';
import { Script } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Asked,
  type House,
  type Question,
  type Served,
  askConsole,
  callerOfHouse,
  converse,
  dial,
  mintToken,
  openHouse,
  serve,
} from '../../testing/house.ts';
import { sessionCookie } from '../auth/session-cookie.ts';
import { transportSection } from '../transport-section.ts';
import { SCRIPT } from './page-script.ts';

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

interface Session {
  readonly cookie: string;
  readonly secret: string;
}

async function openSession(): Promise<Session> {
  const answer = await ask('/console/session', {
    method: 'POST',
    headers: { origin: served.console },
    body: await linkSecret(),
  });
  const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
  const { secret } = JSON.parse(answer.body);
  return { cookie, secret };
}

function call(headers: Readonly<Record<string, string>>, path = CALL): Promise<Asked> {
  const all = { 'content-type': 'application/json', ...headers };
  return ask(path, { method: 'POST', headers: all, body: '{}' });
}

describe('the console port', () => {
  it('tells strangers that it is there, whether it is ready, and how to come in', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: 'ok' });
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: 'ok' });
    const page = await ask('/');
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain('palyra console');
    expect(page.body).not.toContain('0.0.0-test');
  });

  it('refuses everything else in the same words, existing or not', async () => {
    const answers = await Promise.all(
      [CALL, '/palyra.v1.PairingService/BeginPairing', '/nowhere'].map((path) => call({}, path)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  it('sends its page with headers that let nothing foreign in', async () => {
    for (const path of ['/', '/console.js', '/console.css', '/healthz', '/nowhere']) {
      const { headers } = await ask(path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('has a script that is one, and a page that holds none itself', async () => {
    expect(() => new Script(SCRIPT)).not.toThrow();
    expect((await ask('/')).body).not.toMatch(/<script>|\son[a-z]+=|style="/);
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

describe('a console session', () => {
  it('comes of a link, once', async () => {
    const body = await linkSecret();
    const opening = { method: 'POST', headers: { origin: served.console }, body };
    const first = await ask('/console/session', opening);
    expect(first.status).toBe(200);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^palyra_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(cookie).toContain(`_${new URL(served.console).port}=`);
    expect(cookie).not.toMatch(/domain/i);
    expect((await ask('/console/session', opening)).status).toBe(401);
  });

  it('is not opened without an origin, by a link that is none, or by a long one', async () => {
    const opening = { method: 'POST', headers: { origin: served.console } };
    const withoutOrigin = { method: 'POST', body: await linkSecret() };
    expect((await ask('/console/session', withoutOrigin)).status).toBe(403);
    expect((await ask('/console/session', { ...opening, body: 'no' })).status).toBe(401);
    expect((await ask('/console/session', { ...opening, body: 'x'.repeat(5000) })).status).toBe(
      400,
    );
  });

  it('acts for its member with cookie, origin and the secret that only its page knows', async () => {
    const { cookie, secret } = await openSession();
    const proof = { cookie, origin: served.console, 'x-palyra-csrf': secret };
    const { status, body } = await call(proof);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ kind: 'PRINCIPAL_KIND_USER', role: 'ROLE_OWNER' });
    // A console of another gateway on this machine has a cookie of its own, which is none of ours.
    const both = { ...proof, cookie: `palyra_session_1=x; ${cookie}` };
    expect((await call(both)).status).toBe(200);
  });

  it('is not given away by its cookie, which other ports of this host see', async () => {
    const { cookie, secret } = await openSession();
    const [, value = ''] = cookie.split('=');
    expect(value).not.toBe(secret);
    const origin = served.console;
    expect((await call({ cookie, origin })).status).toBe(403);
    expect((await call({ cookie, origin, 'x-palyra-csrf': value })).status).toBe(401);
    expect((await ask('/console/session', { headers: { cookie } })).status).toBe(403);
  });

  it('needs the cookie beside the secret, which a script in the page could leak', async () => {
    const { secret } = await openSession();
    const headers = { origin: served.console, 'x-palyra-csrf': secret };
    expect((await call(headers)).status).toBe(401);
    expect((await ask('/console/session', { headers })).status).toBe(401);
  });

  it('does nothing with anything missing or wrong', async () => {
    const { cookie, secret } = await openSession();
    const origin = served.console;
    const other = await openSession();
    const foreign = [
      { cookie, 'x-palyra-csrf': secret },
      { cookie, origin: 'http://localhost:1', 'x-palyra-csrf': secret },
      { cookie, origin: 'null', 'x-palyra-csrf': secret },
    ];
    for (const headers of foreign) expect((await call(headers)).status).toBe(403);
    const unproven = [
      { cookie, origin, 'x-palyra-csrf': other.secret },
      { cookie, origin, 'x-palyra-csrf': '' },
      { cookie: `${cookie}; ${other.cookie}`, origin, 'x-palyra-csrf': secret },
      { cookie: cookie.replace('session_', 'session_1'), origin, 'x-palyra-csrf': secret },
    ];
    for (const headers of unproven) expect((await call(headers)).status).toBe(401);
  });

  it('that nobody has opened is refused even with a cookie that fits', async () => {
    const secret = 'x'.repeat(43);
    const [cookie = ''] = sessionCookie(new URL(served.console).host, secret, 60).split(';');
    const headers = { origin: served.console, 'x-palyra-csrf': secret, cookie };
    expect((await call(headers)).status).toBe(401);
  });

  it('tells its own page about itself, and no other', async () => {
    const { cookie, secret } = await openSession();
    const headers = { cookie, 'x-palyra-csrf': secret };
    const own = await ask('/console/session', { headers });
    expect(JSON.parse(own.body)).toEqual({
      principal: expect.stringMatching(/^user:/),
      expiresAt: expect.stringMatching(/^\d{4}-/),
    });
    const foreign = { ...headers, 'sec-fetch-site': 'same-site' };
    expect((await ask('/console/session', { headers: foreign })).status).toBe(403);
    expect((await ask('/console/session')).status).toBe(401);
  });

  it('ends when it is told to, and its cookie with it', async () => {
    const { cookie, secret } = await openSession();
    const headers = { cookie, origin: served.console, 'x-palyra-csrf': secret };
    const withoutProof = await ask('/console/session', { method: 'DELETE', headers: { cookie } });
    expect(withoutProof.status).toBe(403);
    const ended = await ask('/console/session', { method: 'DELETE', headers });
    expect(ended.headers['set-cookie']?.[0]).toMatch(/^palyra_session_\d+=; .*Max-Age=0$/);
    expect((await call(headers)).status).toBe(401);
  });

  it('cannot be turned into a certificate or another link', async () => {
    const { cookie, secret } = await openSession();
    const headers = { cookie, origin: served.console, 'x-palyra-csrf': secret };
    for (const path of ['IdentityService/RenewCertificate', 'ConsoleService/CreateConsoleLink']) {
      expect((await call(headers, `/palyra.v1.${path}`)).status).toBe(403);
    }
  });
});

describe('a browser that a device carries', () => {
  const HOST = 'localhost:50123';

  async function carried(words: readonly string[], body = ''): Promise<string> {
    const socket = await dial(served, { ALPNProtocols: ['palyra-console/1'] });
    const head = [...words, 'Connection: close', `Content-Length: ${body.length}`, '', body];
    return await converse(socket, head.join('\r\n'));
  }

  const post = (path: string, extra: readonly string[]) =>
    carried(
      [`POST ${path} HTTP/1.1`, `Host: ${HOST}`, 'Content-Type: application/json', ...extra],
      '{}',
    );

  it('cannot do anything by the certificate of the device alone', async () => {
    expect(await post(CALL, [])).toContain('401 Unauthorized');
    expect(await post(CALL, [`Origin: http://${HOST}`])).toContain('401 Unauthorized');
  });

  it('sees the page, opens a session of the same member and acts through it', async () => {
    expect(await carried(['GET / HTTP/1.1', `Host: ${HOST}`])).toContain('palyra console');
    const opened = await carried(
      ['POST /console/session HTTP/1.1', `Host: ${HOST}`, `Origin: http://${HOST}`],
      await linkSecret(),
    );
    const cookie = /palyra_session_50123=[\w-]+/.exec(opened)?.[0] ?? '';
    const secret = /"secret":"([\w-]+)"/.exec(opened)?.[1] ?? '';
    const proof = [`Origin: http://${HOST}`, `Cookie: ${cookie}`, `x-palyra-csrf: ${secret}`];
    expect(await post(CALL, proof)).toContain('200 OK');
    expect(await post(CALL, proof.slice(1))).toContain('403 Forbidden');
    expect(await post(CALL, [...proof.slice(1), 'Origin: http://localhost:1'])).toContain('403');
  });

  it.each(['evil.example:50123', 'localhost', '127.0.0.1:50123', 'localhost:50123.evil.example'])(
    'is refused under the name `%s`',
    async (host) => {
      expect(await carried(['GET / HTTP/1.1', `Host: ${host}`])).toContain('403 Forbidden');
    },
  );

  it('is not carried by somebody without a certificate', async () => {
    const socket = await dial(served, {
      cert: '',
      key: '',
      ALPNProtocols: ['palyra-console/1'],
    });
    expect(await converse(socket, 'GET /healthz HTTP/1.1\r\nHost: localhost:1\r\n\r\n')).toBe('');
  });
});
