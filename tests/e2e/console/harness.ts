import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
  expect,
} from '@playwright/test';
import type { PalyraClient } from '@palyra/client';
import { type TempHome, consoleOf, ownClient } from '@palyra/testkit';
import { Daemon, type ScriptedHome, type Step, homeWithScript } from '../harness.ts';

/** A busy machine is slow, not wrong. */
const PATIENCE_MS = 90_000;
export const expectPage = expect.configure({ timeout: PATIENCE_MS });

/** A daemon as people have it, a browser, and the console in it. One for all tests of a file. */
export interface ConsoleStage extends AsyncDisposable {
  readonly home: TempHome;
  readonly workspace: string;
  readonly origin: string;
  readonly browser: Browser;
  /** As the command line of the owner. */
  readonly client: PalyraClient;
  daemon(): Daemon;
  /** A browser of its own, signed in as the owner, at a path of the console. */
  open(path?: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A link that opens the console once, as the owner. */
  link(): Promise<string>;
  /** Stops the daemon, and starts it again in the same home, with the same port for the console. */
  restart(signal?: NodeJS.Signals): Promise<void>;
}

export interface Visit extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained of: refused by the page's policy, failed, or thrown. */
  readonly complaints: string[];
  /** Addresses outside of the console that the page asked for; there must be none. */
  readonly strangers: string[];
}

export interface StageSettings extends ScriptedHome {
  /** In the place of one of its own. */
  readonly browser?: Browser;
  /** Puts something into the home before the daemon starts. */
  readonly fill?: (home: TempHome) => Promise<void>;
}

export async function openStage(
  turns: readonly (readonly Step[])[],
  settings: StageSettings = {},
): Promise<ConsoleStage> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await homeWithScript(turns, settings));
  await settings.fill?.(home);
  const workspace = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-work-')));
  const start = async (at?: string) => await new Daemon(home.path, workspace.path, at).ready();
  const daemon = stack.use(await start());
  const held = { daemon, client: await ownClient(home.places) };
  const browser = settings.browser ?? (await launchBrowser());
  if (browser !== settings.browser) stack.defer(() => browser.close());
  const origin = await consoleOf(home.places);
  const release = stack.move();
  const link = async () => {
    const { secret } = await held.client.console.createConsoleLink({});
    return `${origin}/#link=${secret}`;
  };
  return {
    home,
    workspace: workspace.path,
    origin,
    browser,
    link,
    get client() {
      return held.client;
    },
    daemon: () => held.daemon,
    open: async (path = '/', options = {}) =>
      await visit(await browser.newContext(options), { origin, path, link: await link() }),
    async restart(signal = 'SIGTERM') {
      await held.daemon.stop(signal);
      held.daemon = release.use(await start(new URL(origin).host));
      // Devices reach it on another port now.
      held.client = await ownClient(home.places);
    },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

export const yes = (page: Page) => page.getByRole('button', { name: 'Yes, once' });

/**
 * Until it counts: a press on what has just come, or moves because the story above it grows, does not. One that
 * counts takes the button away, but no sooner than the gateway has answered.
 */
export async function sayYes(page: Page): Promise<void> {
  await yes(page).scrollIntoViewIfNeeded();
  await expectPage(async () => {
    if (await yes(page).isVisible()) await yes(page).click({ timeout: 1_000 });
    await expectPage(yes(page)).toBeHidden({ timeout: 1_000 });
  }).toPass({ timeout: PATIENCE_MS });
}

export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Chromium refuses to start its own sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

export interface Destination {
  readonly origin: string;
  readonly path: string;
  readonly link: string;
}

/** Signs a fresh browser in by a link, right where it is to go: a page takes a second to load. */
export async function visit(
  context: BrowserContext,
  { origin, path, link }: Destination,
): Promise<Visit> {
  context.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  const strangers: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) strangers.push(url);
  });
  const page = await context.newPage();
  const there = new URL(path, origin);
  const entrance = new URL(there);
  entrance.hash = new URL(link).hash;
  await page.goto(entrance.href);
  await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
  // The link took the place of what the path says behind its own `#`.
  if (there.hash !== '') await page.goto(there.href);
  return { context, page, complaints, strangers, [Symbol.asyncDispose]: () => context.close() };
}
