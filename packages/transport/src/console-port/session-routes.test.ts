import { CONSOLE_PROOF_HEADER } from '@palyra/kernel';
import { Permission, PrincipalKind, Role } from '@palyra/protocol';
import {
  type ConsoleBrowser,
  makeConsoleKey,
  openConsoleBrowser,
  pairedDevice,
  testTransportParts,
} from '@palyra/testkit';
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
  openHouse,
  serve,
} from '../../testing/house.ts';
import { sessionCookie } from '../auth/session-cookie.ts';
import { openDoors } from '../doors.ts';

let house: House;
let stack: AsyncDisposableStack;
let served: Served;
let origin: string;
let host: string;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  served = await serve(house, stack);
  origin = served.console;
  ({ host } = new URL(origin));
});
afterEach(() => stack.disposeAsync());

const SESSION = '/console/session';
/** As `GetCaller` tells it. */
const WHO = {
  principal: expect.stringMatching(/^user:/),
  kind: PrincipalKind.USER,
  name: expect.stringMatching(/./),
  role: Role.OWNER,
  permissions: expect.arrayContaining([Permission.SESSIONS_USE, Permission.MEMBERS_MANAGE]),
  deviceId: '',
};
const CALL = '/palyra.v1.IdentityService/GetCaller';

const ask = (path: string, question?: Question): Promise<Asked> =>
  askConsole(served.console, path, question);

async function newLink(at: Pick<House, 'device'> = house): Promise<string> {
  const { console } = house.test.gateway.identity;
  return (await console.createLink(await callerOfHouse({ ...house, ...at }))).secret;
}

async function open(at?: Pick<House, 'device'>): Promise<ConsoleBrowser> {
  return await openConsoleBrowser({ origin, link: await newLink(at) });
}

function call(headers: Readonly<Record<string, string>>, path = CALL): Promise<Asked> {
  const all = { 'content-type': 'application/json', ...headers };
  return ask(path, { method: 'POST', headers: all, body: '{}' });
}

/** What a call of this browser carries, with some of it changed or, when empty, taken away. */
async function carriedBy(
  browser: ConsoleBrowser,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<Record<string, string>> {
  const all = { ...(await browser.headersFor('POST', CALL)), ...changes };
  return Object.fromEntries(
    Object.entries(all).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
  );
}

describe('opening a session', () => {
  async function openWith(body: unknown): Promise<Asked> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return await ask(SESSION, { method: 'POST', headers: { origin }, body: text });
  }

  it('takes a link, once, and answers with nothing secret but the cookie', async () => {
    const { publicKey } = await makeConsoleKey();
    const opening = { link: await newLink(), publicKey };
    const first = await openWith(opening);
    expect(first.status).toBe(200);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^palyra_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43(?:200|199)$/,
    );
    expect(cookie).toContain(`_${new URL(origin).port}=`);
    expect(JSON.parse(first.body)).toEqual({
      ...WHO,
      expiresAt: expect.stringMatching(/^\d{4}-/),
      serverTime: expect.stringMatching(/^\d{4}-/),
    });
    const [, value = ''] = /=([\w-]{43});/.exec(cookie) ?? [];
    expect(first.body).not.toContain(value);
    expect((await openWith(opening)).status).toBe(401);
  });

  it('needs an origin', async () => {
    const { publicKey } = await makeConsoleKey();
    const body = JSON.stringify({ link: await newLink(), publicKey });
    expect((await ask(SESSION, { method: 'POST', body })).status).toBe(403);
  });

  it('takes exactly a link and a key, and what is refused does not use the link up', async () => {
    const { publicKey } = await makeConsoleKey();
    const link = await newLink();
    const beside = `${publicKey.slice(0, 40)}${publicKey[40] === 'A' ? 'B' : 'A'}${publicKey.slice(41)}`;
    const bodies = [
      '',
      'no',
      '[]',
      'null',
      link,
      { link },
      { publicKey },
      { link: [link], publicKey },
      { link, publicKey: '' },
      { link, publicKey: `${publicKey}=` },
      { link, publicKey: `${publicKey} ` },
      { link, publicKey: beside },
      { link, publicKey: publicKey.slice(1) },
      { link, publicKey, role: 'owner' },
      `{"link":"${link}","link":"${link}","publicKey":"${publicKey}"}`,
      `{"link":"${link}","publicKey":"${publicKey}","__proto__":{}}`,
      `${' '.repeat(2_000)}{}`,
    ];
    for (const body of bodies) expect((await openWith(body)).status).toBe(400);
    expect((await openWith({ link: 'no', publicKey })).status).toBe(401);
    expect((await openWith({ link, publicKey })).status).toBe(200);
  });
});

describe('a call of a session', () => {
  it('acts for its member, with cookie, origin and proof', async () => {
    const browser = await open();
    const { status, body } = await call(await carriedBy(browser));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ kind: 'PRINCIPAL_KIND_USER', role: 'ROLE_OWNER' });
    // A console of another gateway on this machine has a cookie of its own, which is none of ours.
    const cookie = `palyra_session_1=x; ${browser.cookie}`;
    expect((await call(await carriedBy(browser, { cookie }))).status).toBe(200);
  });

  it('is made by several tabs at once', async () => {
    const browser = await open();
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const tabs = Array.from({ length: 20 }, () => browser.fetch(`${origin}${CALL}`, options));
    const statuses = (await Promise.all(tabs)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('counts once, also when it is made again at the same time', async () => {
    const headers = await carriedBy(await open());
    const statuses = await Promise.all([call(headers), call(headers), call(headers)]);
    expect(statuses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401']);
    expect((await call(headers)).status).toBe(401);
  });

  it('is not made with the cookie alone, which other ports of this host see', async () => {
    const browser = await open();
    const { cookie } = browser;
    expect((await call({ cookie, origin })).status).toBe(403);
    expect((await ask(SESSION, { headers: { cookie } })).status).toBe(403);
    expect((await ask(SESSION, { method: 'DELETE', headers: { cookie, origin } })).status).toBe(
      403,
    );
    const [, value = ''] = cookie.split('=');
    for (const proof of [value, '', 'v1.1.1.1']) {
      const headers = await carriedBy(browser, { [CONSOLE_PROOF_HEADER]: proof });
      expect((await call(headers)).status).toBe(401);
    }
  });

  it('is not made with the proof alone, which a script in the page can make', async () => {
    const browser = await open();
    expect((await call(await carriedBy(browser, { cookie: undefined }))).status).toBe(401);
    const { cookie: _cookie, ...headers } = await browser.headersFor('GET', SESSION);
    expect((await ask(SESSION, { headers })).status).toBe(401);
  });

  it('is not made from elsewhere', async () => {
    const browser = await open();
    for (const from of [undefined, 'http://localhost:1', 'null', 'https://evil.example']) {
      expect((await call(await carriedBy(browser, { origin: from }))).status).toBe(403);
    }
  });

  it('is not made with the cookie or the key of another session', async () => {
    const [browser, other] = [await open(), await open()];
    const { cookie } = other;
    expect((await call(await carriedBy(browser, { cookie }))).status).toBe(401);
    const both = `${browser.cookie}; ${cookie}`;
    expect((await call(await carriedBy(browser, { cookie: both }))).status).toBe(401);
    const elsewhere = browser.cookie.replace('session_', 'session_1');
    expect((await call(await carriedBy(browser, { cookie: elsewhere }))).status).toBe(401);
  });

  it('is not made with the proof of another call', async () => {
    const browser = await open();
    const proven = [
      { path: CALL, host, method: 'GET' },
      { path: `${CALL}?x=1`, host },
      { path: '/palyra.v1.HealthService/GetHealth', host },
      { path: CALL, host: 'localhost:1' },
      { path: CALL, host, timeMs: 1e12 },
    ];
    for (const each of proven) {
      const proof = await browser.key.prove(each);
      const headers = await carriedBy(browser, { [CONSOLE_PROOF_HEADER]: proof });
      expect((await call(headers)).status).toBe(401);
    }
  });

  it('is not made for a session that nobody has opened', async () => {
    const browser = await open();
    const [cookie = ''] = sessionCookie(host, 'A'.repeat(43), 60).split(';');
    expect((await call(await carriedBy(browser, { cookie }))).status).toBe(401);
  });

  it('is not made any more when the device of its link was revoked', async () => {
    const doors = stack.use(await openDoors(testTransportParts(house.test.gateway)));
    const device = await pairedDevice(house.test, doors.device, `phone ${crypto.randomUUID()}`);
    const browser = await open({ device });
    expect((await call(await carriedBy(browser))).status).toBe(200);
    const { devices } = house.test.gateway.identity;
    await devices.revoke(device.deviceId, await callerOfHouse(house));
    expect((await call(await carriedBy(browser))).status).toBe(401);
  });

  it('cannot become a certificate or another link', async () => {
    const browser = await open();
    for (const name of ['IdentityService/RenewCertificate', 'ConsoleService/CreateConsoleLink']) {
      const path = `/palyra.v1.${name}`;
      expect((await call(await browser.headersFor('POST', path), path)).status).toBe(403);
    }
  });
});

describe('a session', () => {
  it('tells its own page about itself, and no other', async () => {
    const browser = await open();
    const { origin: _origin, ...headers } = await browser.headersFor('GET', SESSION);
    const own = await ask(SESSION, { headers });
    expect(JSON.parse(own.body)).toEqual({
      ...WHO,
      expiresAt: expect.stringMatching(/^\d{4}-/),
      serverTime: expect.stringMatching(/^\d{4}-/),
    });
    const again = await browser.headersFor('GET', SESSION);
    const foreign = { ...again, 'sec-fetch-site': 'same-site' };
    expect((await ask(SESSION, { headers: foreign })).status).toBe(403);
    expect((await ask(SESSION)).status).toBe(401);
  });

  it('ends when it is told to, and its cookie with it', async () => {
    const browser = await open();
    const headers = await browser.headersFor('DELETE', SESSION);
    const ended = await ask(SESSION, { method: 'DELETE', headers });
    expect(ended).toMatchObject({ status: 200, body: '{}' });
    expect(ended.headers['set-cookie']?.[0]).toMatch(/^palyra_session_\d+=; .*Max-Age=0$/);
    expect((await call(await carriedBy(browser))).status).toBe(401);
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

  it('opens a session of the same member and acts through it', async () => {
    const key = await makeConsoleKey();
    const opened = await carried(
      [`POST ${SESSION} HTTP/1.1`, `Host: ${HOST}`, `Origin: http://${HOST}`],
      JSON.stringify({ link: await newLink(), publicKey: key.publicKey }),
    );
    const [cookie = ''] = /palyra_session_50123=[\w-]+/.exec(opened) ?? [];
    const proven = async (from: string) => [
      `Origin: ${from}`,
      `Cookie: ${cookie}`,
      `${CONSOLE_PROOF_HEADER}: ${await key.prove({ path: CALL, host: HOST })}`,
    ];
    expect(await post(CALL, await proven(`http://${HOST}`))).toContain('200 OK');
    expect(await post(CALL, (await proven('')).slice(1))).toContain('403 Forbidden');
    expect(await post(CALL, await proven('http://localhost:1'))).toContain('403 Forbidden');
    // The cookie and the key are the same, and the name under which they were proven is not.
    const elsewhere = await key.prove({ path: CALL, host });
    const moved = [
      ...(await proven(`http://${HOST}`)).slice(0, 2),
      `${CONSOLE_PROOF_HEADER}: ${elsewhere}`,
    ];
    expect(await post(CALL, moved)).toContain('401 Unauthorized');
  });

  it.each(['evil.example:50123', 'localhost', '127.0.0.1:50123', 'localhost:50123.evil.example'])(
    'is refused under the name `%s`',
    async (name) => {
      expect(await carried(['GET / HTTP/1.1', `Host: ${name}`])).toContain('403 Forbidden');
    },
  );

  it('is not carried by somebody without a certificate', async () => {
    const socket = await dial(served, { cert: '', key: '', ALPNProtocols: ['palyra-console/1'] });
    expect(await converse(socket, 'GET /healthz HTTP/1.1\r\nHost: localhost:1\r\n\r\n')).toBe('');
  });
});
