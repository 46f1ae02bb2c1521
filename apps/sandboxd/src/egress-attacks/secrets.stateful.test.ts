import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, BOXES } from './box.fixture.ts';
import {
  type Certified,
  certify,
  type Origin,
  startOrigin,
  startTlsOrigin,
} from './origins.fixture.ts';

const VALUE = 'value-of-the-secret-0123456789';
const NAMES = ['api.test', 'other.test'];
const ADDRESSES = Object.fromEntries(NAMES.map((name) => [name, ['127.0.0.1']]));

let certified: Certified;
let secure: Origin;
let plain: Origin;
beforeAll(async () => {
  certified = await certify(...NAMES);
  secure = await startTlsOrigin(certified, ({ line, headers }) =>
    line === 'GET /v1/echo' ? `you sent ${headers.authorization}, ok` : `seen ${line}`,
  );
  plain = await startOrigin();
});
afterAll(async () => {
  await secure[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

describe.each(BOXES)('a secret of a command in a sandbox of $account, $warmth', (kind) => {
  let box: Box;
  beforeAll(async () => {
    const options = {
      addresses: ADDRESSES,
      trusted: [certified.authorityPem],
      secrets: { TOKEN: VALUE },
    };
    box = await Box.start(kind, options);
    box.putNode();
    box.put('use.ts', readFileSync(new URL('use-secret.fixture.ts', import.meta.url)));
  });
  afterAll(() => box[Symbol.asyncDispose]());

  it('is a placeholder inside, and goes to its own host, method and path alone', async () => {
    const [port, before] = [secure.port, secure.requests.length];
    const seen = await box.run({
      executable: './node',
      arguments: [
        'use.ts',
        `https://api.test:${port}`,
        `https://other.test:${port}`,
        `http://api.test:${plain.port}`,
      ],
      hosts: [
        `api.test:${port},${plain.port}`,
        `GET other.test:${port}`,
        `127.0.0.1:${port},${plain.port}`,
      ],
      secrets: [{ variable: 'API_TOKEN', name: 'TOKEN', use: `GET api.test:${port}/v1/**` }],
    });
    const { token, environment, ...tried } = JSON.parse(seen.stdout);
    expect(token).toMatch(/^palyra-secret-[0-9a-f]{32}$/);
    expect(environment).toEqual([`API_TOKEN=${token}`]);
    const misplaced =
      '403 palyra: a placeholder of a secret stands where it may not be used (secret-misplaced)';
    expect(tried).toMatchObject({
      used: '200 seen GET /v1/a',
      method: misplaced,
      path: misplaced,
      query: misplaced,
      other: misplaced,
      clear: misplaced,
      without: '200 seen GET /v1/b',
    });
    expect(tried.echo).not.toContain(VALUE.slice(0, 12));
    const arrived = secure.requests
      .slice(before)
      .map(({ line, headers }) => [line, headers.authorization]);
    expect(arrived).toEqual([
      ['GET /v1/a', `Bearer ${VALUE}`],
      ['GET /v1/echo', `Bearer ${VALUE}`],
      ['GET /v1/b', undefined],
    ]);
    expect(plain.requests).toEqual([]);
    expect(box.revealed).toEqual(['TOKEN', 'TOKEN']);
    const told = seen.records.map(({ request, reason, secrets }) => [request, reason, secrets]);
    // Told when they have ended, and the next may begin before one has.
    expect(told).toHaveLength(8);
    expect(told.filter(([, reason]) => reason === 'secret-misplaced')).toHaveLength(5);
    expect(told).toEqual(
      expect.arrayContaining([
        ['GET /v1/a', '', ['TOKEN']],
        ['POST /v1/a', 'secret-misplaced', []],
        ['GET /v2/a', 'secret-misplaced', []],
        ['GET /v1/a', 'secret-misplaced', []],
        ['GET /v1/echo', 'secret-echoed', ['TOKEN']],
        ['GET /v1/b', '', []],
      ]),
    );
    expect(JSON.stringify([seen.stdout, seen.stderr, seen.records, box.logged])).not.toContain(
      VALUE,
    );
  });

  it('that nobody has, or that is bound to a host that is not listed, is not used', async () => {
    const { port } = secure;
    const hosts = [`api.test:${port}`, `127.0.0.1:${port}`];
    const before = secure.connections();
    const script = `fetch('https://api.test:${port}/', { headers: { a: process.env.A } }).then((r) => r.text()).then((t) => process.stdout.write(t))`;
    const missing = await box.run({
      executable: './node',
      arguments: ['-e', script],
      hosts,
      secrets: [{ variable: 'A', name: 'UNKNOWN', use: `api.test:${port}` }],
    });
    expect(missing.stdout).toBe('palyra: the secret could not be put in (secret-unusable)\n');
    const elsewhere = await box.run({
      hosts,
      secrets: [{ variable: 'A', name: 'TOKEN', use: 'evil.test' }],
    });
    expect(elsewhere.ending).toMatchObject({ kind: 'refused', fault: { code: 'INVALID_INPUT' } });
    expect(secure.connections()).toBe(before);
  });

  it('is never the same placeholder twice', async () => {
    const { port } = secure;
    const run = {
      executable: 'printenv',
      arguments: ['A'],
      hosts: [`api.test:${port}`],
      secrets: [{ variable: 'A', name: 'TOKEN', use: `api.test:${port}` }],
    };
    const [one, two] = [await box.run(run), await box.run(run)];
    expect(one.stdout).toMatch(/^palyra-secret-/);
    expect(two.stdout).toMatch(/^palyra-secret-/);
    expect(one.stdout).not.toBe(two.stdout);
  });
});
