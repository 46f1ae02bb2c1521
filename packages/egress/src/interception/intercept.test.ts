import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { bindSecrets } from '../secrets.ts';
import { parseHostRules } from '../host-rule.ts';
import {
  openTunnel,
  refusalOf,
  restOf,
  secured,
  startOrigin,
  startProxy,
  startTlsOrigin,
  talk,
  type TestProxy,
  type TestProxyOptions,
  testAuthority,
} from '../proxy/proxy.fixture.ts';

const upstreamAuthority = await testAuthority();
const trusted = [upstreamAuthority.certificatePem];
const fillRandom = (bytes: Uint8Array) => void bytes.fill(0xab);

async function start(options: TestProxyOptions): Promise<TestProxy> {
  return startProxy({ trusted, ...options });
}

async function openTls(proxy: TestProxy, port: number, host = 'web.test'): Promise<TLSSocket> {
  const socket = await openTunnel(proxy.port, `${host}:${port}`);
  const ca = [(await proxy.served.authorityPem()) ?? '', upstreamAuthority.certificatePem];
  return secured(socket, { servername: host, ca, ALPNProtocols: ['h2', 'http/1.1'] });
}

async function ask(proxy: TestProxy, port: number, request: string): Promise<string> {
  const tls = await openTls(proxy, port);
  tls.write(request);
  return restOf(tls);
}

function get(path: string, port: number, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: web.test:${port}\r\n${more}\r\n`;
}

describe('a host with rules about requests', () => {
  it('is spoken to in its place, by a certificate of this sandbox, for requests that fit', async () => {
    await using origin = await startTlsOrigin(upstreamAuthority);
    const entries = [`GET,HEAD web.test:${origin.port}/v1/**`, `127.0.0.1:${origin.port}`];
    await using proxy = await start({ entries });
    const tls = await openTls(proxy, origin.port);
    expect(tls.alpnProtocol).toBe('http/1.1');
    const issuer = new X509Certificate((await proxy.served.authorityPem()) ?? '');
    expect(new X509Certificate(tls.getPeerCertificate(true).raw).checkIssued(issuer)).toBe(true);
    expect(tls.getPeerCertificate().subjectaltname).toBe('DNS:web.test');
    tls.write(get('/v1/a', origin.port));
    expect(await restOf(tls)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*seen GET \/v1\/a$/s);
    expect((await proxy.recorded(1))[0]).toMatchObject({
      door: 'connect',
      decision: 'allowed',
      request: 'GET /v1/a',
      rule: `GET,HEAD web.test:${origin.port}/v1/**`,
    });
  });

  it.each([
    [
      'another method',
      'POST /v1/a HTTP/1.1\r\nHost: web.test:PORT\r\nContent-Length: 0\r\n\r\n',
      'request-not-listed',
      403,
    ],
    [
      'another path',
      'GET /v2/a HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n',
      'request-not-listed',
      403,
    ],
    [
      'the folder itself',
      'GET /v1 HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n',
      'request-not-listed',
      403,
    ],
    ['dots', 'GET /v1/../v2/a HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n', 'request-not-listed', 403],
    [
      'encoded dots',
      'GET /v1/%2e%2E/v2 HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n',
      'request-not-listed',
      403,
    ],
    [
      'an encoded slash',
      'GET /v1/..%2fv2 HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n',
      'request-not-listed',
      403,
    ],
    [
      'an empty segment',
      'GET //v1/a HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n',
      'request-not-listed',
      403,
    ],
    [
      'a method in a header',
      'GET /v1/a HTTP/1.1\r\nHost: web.test:PORT\r\nX-HTTP-Method-Override: PUT\r\n\r\n',
      'request-not-listed',
      403,
    ],
    [
      'another host',
      'GET /v1/a HTTP/1.1\r\nHost: evil.test:PORT\r\n\r\n',
      'host-header-differs',
      400,
    ],
    ['another port', 'GET /v1/a HTTP/1.1\r\nHost: web.test\r\n\r\n', 'host-header-differs', 400],
    ['no host', 'GET /v1/a HTTP/1.1\r\n\r\n', 'host-header-differs', 400],
    [
      'a whole address',
      'GET http://evil.test/v1/a HTTP/1.1\r\nHost: web.test:PORT\r\n\r\n',
      'head-malformed',
      400,
    ],
    [
      'both lengths',
      'GET /v1/a HTTP/1.1\r\nHost: web.test:PORT\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'head-malformed',
      400,
    ],
  ])('refuses a request with %s, and is not reached', async (_what, request, reason, status) => {
    await using origin = await startTlsOrigin(upstreamAuthority);
    const entries = [`GET web.test:${origin.port}/v1/**`, `127.0.0.1:${origin.port}`];
    await using proxy = await start({ entries });
    const answer = await ask(proxy, origin.port, request.replace('PORT', `${origin.port}`));
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(await refusalOf(proxy)).toBe(reason);
    expect(origin.connections()).toBe(0);
  });

  it('is not believed unless it proves its name', async () => {
    await using origin = await startTlsOrigin(await testAuthority());
    const entries = [`GET web.test:${origin.port}`, `127.0.0.1:${origin.port}`];
    await using proxy = await start({ entries });
    const answer = await ask(proxy, origin.port, get('/', origin.port));
    expect(answer).toMatch(/^HTTP\/1\.1 502 .*upstream-untrusted/s);
    expect(origin.requests).toEqual([]);
  });

  it('is not read when no rule needs it', async () => {
    await using proxy = await start({ entries: ['web.test'] });
    expect(await proxy.served.authorityPem()).toBeUndefined();
  });

  it('has another authority in every sandbox', async () => {
    await using one = await start({ entries: ['GET web.test'] });
    await using other = await start({ entries: ['GET web.test'] });
    expect(await one.served.authorityPem()).not.toBe(await other.served.authorityPem());
  });
});

describe('a secret', () => {
  const VALUE = 'sk-real-$&-value-0123456789';
  const secretPort = { reveal: () => Promise.resolve(VALUE) };

  async function withSecret(
    answer?: Parameters<typeof startTlsOrigin>[1],
    use = 'GET web.test:PORT/v1/**',
  ) {
    const origin = await startTlsOrigin(upstreamAuthority, answer);
    const entries = [
      `web.test:${origin.port}`,
      `other.test:${origin.port}`,
      `127.0.0.1:${origin.port}`,
    ];
    const uses = [{ name: 'TOKEN', use: use.replace('PORT', `${origin.port}`) }];
    const secrets = bindSecrets(uses, parseHostRules(entries), fillRandom);
    const proxy = await start({ entries, secrets, secretPort });
    return {
      origin,
      proxy,
      bearer: `Authorization: Bearer ${secrets[0]?.placeholder}\r\n`,
      [Symbol.asyncDispose]: async () => {
        await proxy[Symbol.asyncDispose]();
        await origin[Symbol.asyncDispose]();
      },
    };
  }

  it('takes the place of its placeholder on the way to its host, and stays out of the record', async () => {
    await using all = await withSecret();
    const { origin, proxy, bearer } = all;
    const answer = await ask(proxy, origin.port, get('/v1/a', origin.port, bearer));
    expect(answer).toMatch(/seen GET \/v1\/a$/);
    expect(origin.requests[0]?.headers['authorization']).toBe(`Bearer ${VALUE}`);
    const [record] = await proxy.recorded(1);
    expect(record).toMatchObject({ decision: 'allowed', secrets: ['TOKEN'] });
    expect(JSON.stringify(record)).not.toContain(VALUE);
  });

  it.each([
    ['on another path', '/v2/a', ''],
    ['in the address', '/v1/palyra-secret-abababababababababababababababab', ''],
    ['in the query', '/v1/a?t=palyra-secret-abababababababababababababababab', ''],
    ['of another sandbox', '/v1/a', 'X: palyra-secret-00000000000000000000000000000000\r\n'],
  ])('is refused %s, and the host is not reached', async (_what, path, more) => {
    await using all = await withSecret();
    const { origin, proxy, bearer } = all;
    const answer = await ask(
      proxy,
      origin.port,
      get(path, origin.port, path === '/v2/a' ? bearer : more),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 .*secret-misplaced/s);
    expect(answer).not.toContain(VALUE);
    expect(origin.connections()).toBe(0);
    expect((await proxy.recorded(1))[0]).toMatchObject({ decision: 'refused', secrets: [] });
  });

  it('is refused in the clear, even to its own host', async () => {
    await using plain = await startOrigin();
    const entries = [`web.test:${plain.port}`, `127.0.0.1:${plain.port}`];
    const uses = [{ name: 'TOKEN', use: `web.test:${plain.port}` }];
    const secrets = bindSecrets(uses, parseHostRules(entries), fillRandom);
    await using proxy = await start({ entries, secrets, secretPort });
    const request = `GET http://web.test:${plain.port}/ HTTP/1.1\r\nHost: x\r\nA: ${secrets[0]?.placeholder}\r\n\r\n`;
    expect(await talk(proxy.port, request)).toMatch(/secret-misplaced/);
    expect(plain.connections()).toBe(0);
  });

  it('is not even looked for in a connection to another host, which nobody reads', async () => {
    await using all = await withSecret();
    const { origin, proxy, bearer } = all;
    const tls = await openTls(proxy, origin.port, 'other.test');
    tls.write(`GET / HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n${bearer}\r\n`);
    await restOf(tls);
    expect(origin.requests[0]?.headers['authorization']).toMatch(/^Bearer palyra-secret-/);
  });

  it.each([
    [
      'in the body',
      ({ headers }: { headers: Record<string, unknown> }) =>
        `you sent ${String(headers['authorization'])}, ok`,
    ],
  ])('that the host repeats %s does not come back', async (_what, answer) => {
    await using all = await withSecret((seen) => answer({ headers: { ...seen.headers } }));
    const { origin, proxy, bearer } = all;
    const got = await ask(proxy, origin.port, get('/v1/a', origin.port, bearer));
    expect(got).not.toContain(VALUE.slice(0, 12));
    expect(await refusalOf(proxy)).toBe('secret-echoed');
  });

  it('that cannot be had, or would break the header, ends the request', async () => {
    for (const value of ['a\r\nX: y', '', 'ü', 'x'.repeat(20_000)]) {
      await using origin = await startTlsOrigin(upstreamAuthority);
      const entries = [`web.test:${origin.port}`, `127.0.0.1:${origin.port}`];
      const uses = [{ name: 'TOKEN', use: `web.test:${origin.port}` }];
      const secrets = bindSecrets(uses, parseHostRules(entries), fillRandom);
      await using proxy = await start({
        entries,
        secrets,
        secretPort: { reveal: () => Promise.resolve(value) },
      });
      const answer = await ask(
        proxy,
        origin.port,
        get('/', origin.port, `A: ${secrets[0]?.placeholder}\r\n`),
      );
      expect(answer).toMatch(/secret-unusable/);
      expect(origin.connections()).toBe(0);
    }
  });
});
