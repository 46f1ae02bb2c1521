import { type Locator, type Page, type Request } from '@playwright/test';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { palyra } from '../harness.ts';
import { faultsOf } from './accessibility.ts';
import { openStage, expectPage } from './harness.ts';
import { fillJournal } from './journal-store.ts';
import { shareStage } from './shared-stage.ts';

/** Forty entries each: more than one search looks through. */
const STORIES = 500;
const LIST = 'palyra.v1.JournalService/ListEntries';
const EXPORT = '**/palyra.v1.JournalService/ExportJournal';

const stage = shareStage((browser) =>
  openStage([[{ text: 'hello\n' }]], {
    browser,
    fill: ({ places }) => fillJournal(places, STORIES),
  }),
);

const list = (page: Page) => page.getByRole('region', { name: 'Entries' });
const rows = (page: Page) => list(page).getByRole('link');
const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** What lies in the middle of the list: rows drawn before a scroll may be gone right after it. */
async function rowInSight(page: Page): Promise<Locator> {
  const id = () =>
    list(page).evaluate((box) => {
      const { left, top, width, height } = box.getBoundingClientRect();
      const inside = document.elementFromPoint(left + width / 2, top + height / 2);
      return inside?.closest('a[id]')?.id ?? '';
    });
  await expectPage.poll(id).not.toBe('');
  return page.locator(`#${await id()}`);
}

describe('the journal of many entries', () => {
  it(
    'opens with one page of them and loads the next as one scrolls',
    verifies('console:journal'),
    async () => {
      // Home lists entries, too, and asks for them in its own time.
      await using visit = await stage().open('/settings');
      const { page } = visit;
      const asked: Request[] = [];
      page.on('request', (request) => {
        if (request.url().includes(LIST)) asked.push(request);
      });
      await page.getByRole('navigation', { name: 'Main' }).getByText('Journal').click();
      await expectPage(rows(page).first()).toBeVisible();
      expect(asked.length).toBeLessThanOrEqual(2);
      expect(await rows(page).count()).toBeLessThan(60);
      const wanted = row(page, '19,7');
      await expectPage(async () => {
        await list(page).evaluate((box) => box.scrollTo(0, box.scrollHeight));
        await expectPage(wanted.first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
      expect(await rows(page).count()).toBeLessThan(60);
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'is searched piece by piece, and the search is kept in the address',
    verifies('console:journal', 'console:in-the-address'),
    async () => {
      await using visit = await stage().open('/journal?kind=run.');
      const { page } = visit;
      await expectPage(row(page, 'run ended').first()).toBeVisible();
      await expectPage(row(page, 'tool ')).toHaveCount(0);
      await page.getByLabel('Search for text').fill('sphinx');
      await expectPage(list(page)).toContainText('Searched down to entry');
      await list(page).getByRole('button', { name: 'Go on' }).click();
      await expectPage(row(page, 'find the \\u{202e}sphinx')).toBeVisible();
      await expectPage(list(page)).toContainText('Nothing older fits.');
      await page.reload();
      await expectPage(page.getByRole('group', { name: 'Filters in use' })).toContainText('sphinx');
      await page.getByRole('button', { name: 'Clear' }).click();
      await expectPage(row(page, 'console opened').first()).toBeVisible();
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'shows what comes on top, and lets it wait while somebody reads',
    verifies('console:journal', 'console:live'),
    async () => {
      await using visit = await stage().open('/journal');
      const { page } = visit;
      await expectPage(rows(page).first()).toBeVisible();
      // Only what comes after the page has begun to listen is news.
      await expectPage(async () => {
        await stage().client.sessions.createSession({ title: 'first comes' });
        await expectPage(row(page, 'first comes').first()).toBeVisible({ timeout: 2_000 });
      }).toPass();
      await list(page).evaluate((box) => box.scrollTo(0, 1_500));
      const reading = await rowInSight(page);
      await stage().client.sessions.createSession({ title: 'second comes' });
      const button = page.getByRole('button', { name: /new entr/ });
      await expectPage(button).toBeVisible();
      await expectPage(row(page, 'second comes')).toHaveCount(0);
      expect(await list(page).evaluate((box) => box.scrollTop)).toBe(1_500);
      await expectPage(reading).toBeVisible();
      await button.click();
      await expectPage(row(page, 'second comes')).toBeVisible();
      expect(visit.complaints).toEqual([]);
    },
  );
});

describe('an entry', () => {
  it(
    'is reached and opened by keyboard, beside the list',
    verifies('console:keyboard'),
    async () => {
      await using visit = await stage().open('/journal?kind=session.created');
      const { page } = visit;
      await stage().client.sessions.createSession({ title: 'by keyboard' });
      await expectPage(row(page, 'by keyboard')).toBeVisible();
      await page.keyboard.press('j');
      await expectPage(rows(page).first()).toBeFocused();
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await expectPage(rows(page).first()).toBeFocused();
      await page.keyboard.press('Enter');
      const entry = page.getByRole('region', { name: 'Entry', exact: true });
      await expectPage(entry.getByLabel('payload', { exact: true })).toContainText('by keyboard');
      expect(new URL(page.url()).search).toBe('?kind=session.created');
      await page.keyboard.press('Escape');
      await expectPage(entry).toHaveCount(0);
      await expectPage(row(page, 'by keyboard')).toBeVisible();
    },
  );

  it(
    'shows its bytes, its hashes and what is invisible in it, accessibly',
    verifies('console:journal', 'console:accessible'),
    async () => {
      await using visit = await stage().open('/journal/1');
      const { page } = visit;
      await page.setViewportSize({ width: 390, height: 844 });
      await expectPage(page.getByLabel('payload', { exact: true })).toContainText(
        'find the \\u{202e}sphinx',
      );
      const { record } = await stage().client.journal.getEntry({ id: '1' });
      await expectPage(page.getByText(record?.hash ?? 'none')).toBeVisible();
      await expectPage(page.getByText('none: this is the first entry')).toBeVisible();
      await page.getByText('Raw bytes', { exact: true }).click();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const chunks = await (await saving).createReadStream();
      const saved = await Array.fromAsync(chunks, (chunk: Buffer) => chunk);
      expect(Buffer.concat(saved).equals(Buffer.from(record?.canonical ?? []))).toBe(true);
      expect(await faultsOf(page)).toEqual([]);
      const overflow =
        'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(false);
      expect(visit.complaints).toEqual([]);
    },
  );
});

/** Changes one byte of an entry on its way to the page. */
async function tamperWith(page: Page, text: string): Promise<void> {
  await page.route(EXPORT, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    const at = body.indexOf(text);
    expect(at).toBeGreaterThan(0);
    body.writeUInt8(0x58, at);
    await route.fulfill({ response, body });
  });
}

describe('the page itself', () => {
  it(
    'verifies the whole journal, with the key that the machine names',
    verifies('console:verifies-itself'),
    async () => {
      await using visit = await stage().open('/journal');
      const { page } = visit;
      await page.getByRole('button', { name: 'Verify' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Verify' }).click();
      await expectPage(dialog.getByRole('status')).toContainText('Intact: 20,0', {
        timeout: 100_000,
      });
      const { stdout } = await palyra(stage().home.path, 'journal', 'verify');
      const [, key = 'none'] = /signed by\s+([0-9a-f]{64})/.exec(stdout) ?? [];
      await expectPage(dialog).toContainText(key);
      expect(visit.complaints).toEqual([]);
    },
  );

  it(
    'names the first bad entry of an export in which one byte was changed',
    verifies('console:verifies-itself'),
    async () => {
      await using visit = await stage().open('/journal');
      const { page } = visit;
      await tamperWith(page, 'find the');
      await page.getByRole('button', { name: 'Verify' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('What').selectOption('range');
      await dialog.getByLabel('From entry').fill('1');
      await dialog.getByLabel('To entry').fill('30');
      await dialog.getByRole('button', { name: 'Verify' }).click();
      await expectPage(dialog.getByRole('alert')).toContainText(
        'Broken at entry 1: its content was changed',
      );
      await dialog.getByRole('link', { name: 'Show entry 1' }).click();
      await expectPage(page.getByRole('heading', { name: 'Entry 1', exact: false })).toBeVisible();
      await page.unroute(EXPORT);
    },
  );

  it(
    'verifies one entry up to the signed head, and one run',
    verifies('console:verifies-itself'),
    async () => {
      const { newestSequence } = await stage().client.journal.listEntries({ limit: 1 });
      await using visit = await stage().open(`/journal/${newestSequence - 20n}`);
      const { page } = visit;
      await page.getByRole('button', { name: 'Verify this entry' }).click();
      const entry = page.getByRole('region', { name: 'Entry', exact: true });
      await expectPage(entry.getByRole('status').last()).toContainText('Signed head');
      await tamperWith(page, '"format":"palyra.journal.v1"');
      await entry.getByRole('button', { name: 'Verify again' }).click();
      await expectPage(entry.getByRole('alert')).toContainText('Broken at entry');
      await page.unroute(EXPORT);
      const { records } = await stage().client.journal.listEntries({
        kinds: ['run.ended'],
        limit: 1,
      });
      const text = new TextDecoder().decode(records[0]?.canonical);
      const [, run = ''] = /"runId":"([0-9A-Z]{26})"/.exec(text) ?? [];
      await page.goto(`${stage().origin}/journal?run=${run}`);
      await page.getByRole('button', { name: 'Verify' }).click();
      const dialog = page.getByRole('dialog');
      await expectPage(dialog.getByLabel('Run')).toHaveValue(run);
      await dialog.getByRole('button', { name: 'Verify' }).click();
      await expectPage(dialog.getByRole('status')).toContainText('Intact: 40 entries');
    },
  );
});
