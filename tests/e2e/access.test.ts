import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from '@palyra/kernel';
import { type TempHome, openConsoleBrowser, tempHome, verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NewDevice, answerOf, listAt, objectOf, pairTogether, textAt } from './devices.ts';
import { Daemon, Palyra, palyra } from './harness.ts';

let home: TempHome;
let daemon: Daemon;
let address = '';
let origin = '';

beforeAll(async () => {
  home = await tempHome();
  daemon = await new Daemon(home.path).ready();
  ({ address, console: origin } = await daemon.door());
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(base: string, { path, headers = {}, body = '' }: Asked) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asking = request(
      `${base}${path}`,
      { method: 'POST', headers, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.once('end', () => resolve({ status: answer.statusCode, text }));
      },
    );
    asking.once('error', reject);
    asking.end(body);
  });
}

async function healthAs(token: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = '/palyra.v1.HealthService/GetHealth';
  return (await ask(origin, { path, headers, body: '{}' })).status;
}

describe('an API token', () => {
  it(
    'works until it is rotated or revoked, and not a request longer',
    verifies('access:token-ends-at-once'),
    async () => {
      const words = ['tokens', 'create', '--label', 'ci', '--scope', 'observability.read'];
      const quiet = await palyra(home.path, ...words, '--quiet');
      expect(quiet.stdout).toMatch(/^pal_[A-Za-z0-9_-]{49}\n$/);
      const first = quiet.stdout.trim();
      expect(await healthAs(first)).toBe(200);
      const second = textAt(await answerOf(home.path, 'tokens', 'rotate', 'ci'), 'secret');
      expect([await healthAs(first), await healthAs(second)]).toEqual([401, 200]);
      await answerOf(home.path, 'tokens', 'revoke', 'ci');
      expect(await healthAs(second)).toBe(401);
    },
  );

  it(
    'is in no list and no export with its secret',
    verifies('access:token-shown-once'),
    async () => {
      const words = ['tokens', 'create', '--label', 'kept', '--scope', 'sessions.use'];
      const secret = textAt(await answerOf(home.path, ...words), 'secret');
      const file = join(home.path, 'access_registry.json');
      await answerOf(home.path, 'access', 'export', file);
      const [list, registry] = await Promise.all([
        palyra(home.path, 'tokens', 'list', '--json'),
        readFile(file, 'utf8'),
      ]);
      expect(objectOf(registry)).toMatchObject({ format: 'palyra.access.v1' });
      expect(registry).toContain('"label": "kept"');
      const piped = await palyra(home.path, 'access', 'export', '-');
      expect(objectOf(piped.stdout)).toMatchObject({ format: 'palyra.access.v1' });
      expect(`${registry}${list.stdout}`).not.toContain(secret);
      expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    },
  );

  it(
    'cannot be asked for with what only people may do',
    verifies('access:people-only'),
    async () => {
      const words = ['tokens', 'create', '--label', 'x', '--scope', 'policy.manage'];
      expect((await palyra(home.path, ...words)).code).toBe(2);
    },
  );
});

describe('a member', () => {
  it('may do what their role allows at that moment', verifies('access:every-call'), async () => {
    await using other = await tempHome();
    await answerOf(home.path, 'access', 'members', 'add', 'ada');
    const together = { gatewayHome: home.path, deviceHome: other.path, address };
    await pairTogether(together, '--for', 'ada');
    expect((await palyra(other.path, 'status')).code).toBe(0);
    const denied = await palyra(other.path, 'devices', 'list', '--json');
    expect(objectOf(denied.stdout)['error']).toMatchObject({ code: 'PERMISSION_DENIED', exit: 10 });
    await answerOf(home.path, 'access', 'members', 'role', 'ada', 'admin');
    expect((await palyra(other.path, 'devices', 'list')).code).toBe(0);
    await answerOf(home.path, 'access', 'members', 'remove', 'ada', '--yes');
    expect((await palyra(other.path, 'status')).code).toBe(10);
  });

  it(
    'is named, with their role, to whoever lets a device in for them',
    verifies('pairing:person-confirms'),
    async () => {
      await using other = await tempHome();
      await answerOf(home.path, 'access', 'members', 'add', 'bob');
      const attending = new Palyra(home.path, ['pairing', 'start', '--for', 'bob']);
      await attending.says('which asks for the link');
      const pin = /PIN +(\d{3} \d{3})/.exec(attending.stdout)?.[1] ?? '';
      const device = new NewDevice(other.path, [address], pin);
      await device.proven();
      await attending.says('bob, as operator');
      attending.child.kill('SIGINT');
      expect((await attending.end()).code).toBe(130);
      expect((await device.end()).code).toBe(10);
    },
  );

  it('who is the last owner stays', verifies('access:last-owner'), async () => {
    const [owner] = listAt(await answerOf(home.path, 'access', 'members', 'list'), 'members');
    const name = textAt(owner ?? {}, 'name');
    const words = ['access', 'members'];
    const removed = await palyra(home.path, ...words, 'remove', name, '--yes', '--json');
    const lowered = await palyra(home.path, ...words, 'role', name, 'operator', '--json');
    for (const { stdout } of [removed, lowered]) {
      expect(objectOf(stdout)['error']).toMatchObject({ code: 'LAST_OWNER' });
    }
  });
});

describe('what came of a device', () => {
  it(
    'is shown when it is revoked, and ends with it when that is asked for',
    verifies('access:token-ends-at-once'),
    async () => {
      await using other = await tempHome();
      await pairTogether({ gatewayHome: home.path, deviceHome: other.path, address });
      const words = ['tokens', 'create', '--label', 'theirs', '--scope', 'observability.read'];
      const made = await palyra(other.path, ...words, '--quiet', '--burst', '7');
      const token = made.stdout.trim();
      const devices = listAt(await answerOf(home.path, 'devices', 'list'), 'devices');
      const isMeant = (one: JsonObject) =>
        one['name'] === 'visitor' && one['state'] === 'DEVICE_STATE_ACTIVE';
      const id = textAt(devices.find(isMeant) ?? {}, 'deviceId');
      const first = await palyra(home.path, 'devices', 'revoke', id);
      expect(first.stdout).toContain('1 token made through it');
      expect(first.stderr).toContain('--with-made');
      expect(await healthAs(token)).toBe(200);
      const both = await palyra(home.path, 'devices', 'revoke', id, '--with-made');
      expect(both.stdout + both.stderr).not.toContain('still in force');
      expect(both.code).toBe(0);
      expect(await healthAs(token)).toBe(401);
    },
  );
});

describe('the lists for people', () => {
  it(
    'name members, and those for scripts have ids',
    verifies('access:people-are-named'),
    async () => {
      const members = await answerOf(home.path, 'access', 'members', 'list');
      const [owner = {}] = listAt(members, 'members');
      const [list, shown] = await Promise.all([
        palyra(home.path, 'devices', 'list'),
        answerOf(home.path, 'devices', 'list'),
      ]);
      expect(list.stdout).toContain(`  ${textAt(owner, 'name')}  `);
      expect(listAt(shown, 'devices')[0]).toMatchObject({ userId: textAt(owner, 'userId') });
    },
  );
});

describe('palyra console', () => {
  it('prints a link that works once', verifies('console:link-once'), async () => {
    const { stdout, code } = await palyra(home.path, 'console', '--no-open');
    expect(code).toBe(0);
    const [base = '', secret = ''] = stdout.trim().split('/#link=');
    expect(base).toBe(origin);
    const browser = await openConsoleBrowser({ origin: base, link: secret });
    expect((await browser.fetch(`${base}/console/session`)).status).toBe(200);
    await expect(openConsoleBrowser({ origin: base, link: secret })).rejects.toThrow('401');
  });

  it(
    'carries a browser to a distant gateway, under the name localhost alone',
    verifies('console:own-pages-only'),
    async () => {
      await using other = await tempHome();
      await pairTogether({ gatewayHome: home.path, deviceHome: other.path, address });
      const carrying = new Palyra(other.path, ['console', '--no-open']);
      await carrying.says(/#link=\S+\n/);
      const [base = '', secret = ''] = carrying.stdout.trim().split('/#link=');
      expect(base).toMatch(/^http:\/\/localhost:\d+$/);
      expect(base).not.toBe(origin);
      const rebound = { host: 'evil.example', origin: 'http://evil.example' };
      const foreign = await ask(base, { path: '/console/session', headers: rebound, body: secret });
      expect(foreign.status).toBe(403);
      // The certificate of the device alone opens nothing to what comes out of a browser.
      const bare = await ask(base, {
        path: '/palyra.v1.HealthService/GetHealth',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(bare.status).toBeGreaterThanOrEqual(400);
      const browser = await openConsoleBrowser({ origin: base, link: secret });
      expect((await browser.fetch(`${base}/console/session`)).status).toBe(200);
      carrying.child.kill('SIGINT');
      expect((await carrying.end()).code).toBe(0);
    },
  );
});

describe('palyra identity rotate-ca', () => {
  const rotate = (...words: readonly string[]) =>
    palyra(home.path, 'identity', 'rotate-ca', ...words, '--json');

  it(
    'says that it began nothing while a rotation is under way, and shows it when asked',
    verifies('identity:one-rotation'),
    async () => {
      expect(objectOf((await rotate('--yes')).stdout)).toMatchObject({ started: true });
      const again = await rotate('--yes');
      expect(again.code).toBe(8);
      expect(objectOf(again.stdout)['error']).toMatchObject({
        code: 'ROTATION_ACTIVE',
        message: expect.stringContaining('not moved'),
      });
      const shown = await rotate();
      expect(shown.code).toBe(0);
      expect(objectOf(shown.stdout)).toMatchObject({ started: false });
    },
  );
});
