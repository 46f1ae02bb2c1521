import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type BrowserContext, type Page } from '@playwright/test';
import { CONSOLE_PROOF_HEADER } from '@palyra/kernel';
import { type TempHome, makeConsoleKey, tempHome, verifies } from '@palyra/testkit';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Daemon, palyra } from '../harness.ts';
import { expectPage } from './harness.ts';
import { shareBrowser } from './shared-stage.ts';

const SESSION = join(import.meta.dirname, '../../../apps/console/src/session');
const HEALTH = '/palyra.v1.HealthService/GetHealth';

let home: TempHome;
let daemon: Daemon;
let origin = '';
let script = '';
let context: BrowserContext;
const browser = shareBrowser();

beforeAll(async () => {
  home = await tempHome();
  daemon = await new Daemon(home.path).ready();
  ({ console: origin } = await daemon.door());
  script = await sessionScript();
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});
beforeEach(async () => {
  context = await browser().newContext();
});
afterEach(() => context.close());

/** The session part of the console and nothing else; what a page does with it is in the tests. */
async function sessionScript(): Promise<string> {
  const files = ['enter', 'key', 'leave', 'proof'];
  const contents = files.map((name) => `export * from './${name}.ts';`).join('\n');
  const bundle = await build({
    stdin: { contents, resolveDir: SESSION },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'session',
  });
  return bundle.outputFiles[0]?.text ?? '';
}

/** A page of the console's origin that holds the session part; all else is the daemon's. */
async function openPage(fragment = ''): Promise<Page> {
  const page = await context.newPage();
  const body = `<!doctype html><script>${script}</script>`;
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${origin}/${fragment}`);
  return page;
}

async function newLink(): Promise<string> {
  const { stdout } = await palyra(home.path, 'console', '--no-open');
  return stdout.trim().slice(`${origin}/`.length);
}

async function entered(): Promise<Page> {
  const page = await openPage(await newLink());
  expect(await page.evaluate('session.enter()')).toMatchObject({ is: 'known' });
  return page;
}

const asking = (from: string) => `${from}('${HEALTH}', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}',
}).then(({ status }) => status)`;
const health = (page: Page): Promise<unknown> => page.evaluate(asking('session.provenFetch'));

describe('a page of the console', () => {
  it(
    'comes in by a link and keeps nothing that could be taken',
    verifies('console:nothing-to-take'),
    async () => {
      const link = await newLink();
      const page = await openPage(link);
      const known = await page.evaluate('session.enter()');
      expect(known).toMatchObject({
        is: 'known',
        caller: { principal: expect.stringMatching(/^user:/) },
      });
      expect(page.url()).toBe(`${origin}/`);
      expect(
        await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'),
      ).toEqual([0, 0, '']);
      const reading =
        'session.findKey().then((key) => crypto.subtle.exportKey("jwk", key.privateKey))';
      await expect(page.evaluate(reading)).rejects.toThrow('not extractable');
      expect(await health(page)).toBe(200);
      expect(await page.evaluate(asking('fetch'))).toBe(403);
    },
  );

  it(
    'is still signed in after a reload, and so is a second tab',
    verifies('console:stays-signed-in'),
    async () => {
      const page = await entered();
      await page.reload();
      expect(await page.evaluate('session.enter()')).toMatchObject({ is: 'known' });
      const second = await openPage();
      expect(await second.evaluate('session.enter()')).toMatchObject({ is: 'known' });
      expect(await Promise.all([page, second, page, second].map(health))).toEqual([
        200, 200, 200, 200,
      ]);
    },
  );

  it(
    'goes on with the session that another tab has opened since',
    verifies('console:stays-signed-in'),
    async () => {
      const page = await entered();
      const second = await openPage(await newLink());
      expect(
        await second.evaluate('session.enter().then(({ link }) => session.openLink(link))'),
      ).toMatchObject({ principal: expect.stringMatching(/^user:/) });
      expect(await health(page)).toBe(200);
    },
  );

  it('hears that a link was used already', verifies('console:link-once'), async () => {
    const link = await newLink();
    const page = await openPage(link);
    await page.evaluate('session.enter()');
    await page.evaluate('session.leave()');
    const late = await openPage(link);
    expect(await late.evaluate('session.enter()')).toEqual({
      is: 'stranger',
      trouble: 'This link was used already, or its minute is over.',
    });
  });

  it(
    'learns the time of a gateway whose clock differs',
    verifies('console:stays-signed-in'),
    async () => {
      const page = await entered();
      const wrongly = `session.findKey().then((key) => session.keepKey({ ...key, aheadMs: 7_200_000 }))`;
      await page.evaluate(wrongly);
      expect(await health(page)).toBe(200);
      expect(
        await page.evaluate('session.findKey().then(({ aheadMs }) => Math.abs(aheadMs) < 5_000)'),
      ).toBe(true);
    },
  );

  it('leaves, and can prove nothing afterwards', verifies('console:over-is-over'), async () => {
    const page = await entered();
    await page.evaluate('session.leave()');
    expect(await health(page)).toBe(401);
    expect(await page.evaluate('session.findKey()')).toBeUndefined();
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate('session.enter()')).toEqual({ is: 'stranger', trouble: undefined });
  });
});

const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });
const keyOf = (page: Page) => page.evaluate(KEPT_KEY);
const KEPT_KEY = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('palyra', 1);
  opening.onerror = reject;
  opening.onsuccess = () => {
    const found = opening.result.transaction('session').objectStore('session').get('key');
    found.onsuccess = () => { opening.result.close(); resolve(found.result?.publicKey); };
  };
})`;

describe('a link that somebody else sends a browser to', () => {
  it(
    'replaces no session without a click, which every other tab hears of',
    verifies('console:link-once'),
    async () => {
      const first = await context.newPage();
      await first.goto(`${origin}/${await newLink()}`);
      await expectPage(heading(first, /^Home$/)).toBeVisible();
      const before = { key: await keyOf(first), cookies: await context.cookies() };
      expect(before).toMatchObject({ key: expect.any(String), cookies: [{}] });

      const lured = await context.newPage();
      await lured.goto(`${origin}/${await newLink()}`);
      await expectPage(heading(lured, /^You are signed in as /)).toBeVisible();
      expect(lured.url()).toBe(`${origin}/`);
      await lured.getByRole('button', { name: 'Stay signed in' }).click();
      await expectPage(heading(lured, /^Home$/)).toBeVisible();
      expect({ key: await keyOf(first), cookies: await context.cookies() }).toEqual(before);
      await lured.close();

      const meant = await context.newPage();
      await meant.goto(`${origin}/${await newLink()}`);
      const reloaded = first.waitForEvent('load');
      await meant.getByRole('button', { name: 'Open the link instead' }).click();
      await expectPage(heading(meant, /^Home$/)).toBeVisible();
      await reloaded;
      await expectPage(heading(first, /^Home$/)).toBeVisible();
      expect(await keyOf(first)).not.toBe(before.key);
      expect(await context.cookies()).not.toEqual(before.cookies);
    },
  );

  it(
    'leaves everything as it was when it is of no use any more',
    verifies('console:link-once'),
    async () => {
      const link = await newLink();
      const first = await context.newPage();
      await first.goto(`${origin}/${link}`);
      await expectPage(heading(first, /^Home$/)).toBeVisible();
      const again = await context.newPage();
      await again.goto(`${origin}/${link}`);
      await again.getByRole('button', { name: 'Open the link instead' }).click();
      await expectPage(again.getByRole('alert')).toContainText('This link was used already');
      await again.reload();
      await expectPage(heading(again, /^Home$/)).toBeVisible();
    },
  );
});

describe('a page on another port of this machine', () => {
  it('gets the cookie and has no use for it', verifies('console:nothing-to-take'), async () => {
    await entered();
    const heard: string[] = [];
    await using other = createServer((request, response) => {
      heard.push(request.headers.cookie ?? '');
      response.setHeader('content-type', 'text/html').end(`<script>${script}</script>`);
    });
    other.listen(0, 'localhost');
    await once(other, 'listening');
    const place = other.address();
    const port = typeof place === 'object' ? place?.port : undefined;
    const thief = await context.newPage();
    await thief.goto(`http://localhost:${port}/`);
    const [cookie = ''] = heard;
    expect(cookie).toMatch(/^palyra_session_\d+=[\w-]{43}$/);
    expect(await thief.evaluate('session.findKey()')).toBeUndefined();
    await thief.close();
    const own = await makeConsoleKey();
    const { host } = new URL(origin);
    const proofs = [{}, { [CONSOLE_PROOF_HEADER]: await own.prove({ path: HEALTH, host }) }];
    const statuses = proofs.map(async (proof) => {
      const headers = { origin, cookie, 'content-type': 'application/json', ...proof };
      return (await fetch(`${origin}${HEALTH}`, { method: 'POST', headers, body: '{}' })).status;
    });
    expect(await Promise.all(statuses)).toEqual([403, 401]);
  });
});
