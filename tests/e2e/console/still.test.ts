import { ApprovalStatus } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { expectPage, openStage } from './harness.ts';
import { shareStage } from './shared-stage.ts';

const LONG =
  'take notes of everything that there is, in so many words that no row of a list holds them';
const ask = { tool: 'process.run', arguments: { command: 'echo', args: [LONG, LONG] } };
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 720 };
const PATHS = ['/', '/chat', '/runs', '/approvals', '/policy', '/journal', '/sandbox', '/doctor'];

/** How far what was on the page already has moved by itself, as browsers count it. */
const MOVES = `{
  globalThis.moved = 0;
  new PerformanceObserver((seen) => {
    for (const { value, hadRecentInput } of seen.getEntries()) moved += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });
}`;
/** Whoever looks would not see it; a quarter of what counts as good. */
const STILL = 0.025;

/** Everything that is cut off at its end, and says nowhere what it is. */
const CUT = `[...document.querySelectorAll('main *')].filter((element) => {
  const isCut = getComputedStyle(element).textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
  return isCut && element.closest('[title], .sr-only') === null;
}).map((element) => element.outerHTML)`;

const held: { runId?: string } = {};

const stage = shareStage((browser) =>
  openStage([[{ text: 'I will look.\n' }, ask], [{ text: 'done\n' }]], { browser }),
);
beforeAll(async () => {
  const events = stage().client.runs.startRun({ prompt: LONG });
  for await (const { runId, event } of events) {
    held.runId = runId;
    if (event.case === 'approvalChanged') break;
  }
});

describe('a page of the console', () => {
  it(
    'stays where it is while it is filled, and cuts nothing that cannot be seen otherwise',
    verifies('console:responsive'),
    async () => {
      await using visit = await stage().open('/', { viewport: PHONE });
      const { page } = visit;
      await page.addInitScript({ content: MOVES });
      const found: unknown[] = [];
      for (const path of [...PATHS, `/runs/${held.runId}`]) {
        // From nowhere, so that it is loaded and not only shown.
        await page.goto('about:blank');
        await page.goto(`${stage().origin}${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await expectPage(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
        await expectPage(page.getByRole('status').getByText('Live', { exact: true })).toBeVisible();
        const moved = z.number().parse(await page.evaluate('moved'));
        if (moved > STILL) found.push(`${path} moved by ${moved}`);
        found.push(...z.array(z.string()).parse(await page.evaluate(CUT)));
      }
      expect(found).toEqual([]);
    },
  );

  it(
    'keeps what is below a list where it is, while questions come and go',
    verifies('console:responsive'),
    async () => {
      await answerAll();
      for (const viewport of [PHONE, DESK]) {
        await using visit = await stage().open('/approvals', { viewport });
        const inbox = visit.page;
        const home = await visit.context.newPage();
        await home.goto(`${stage().origin}/`);
        const seen = new Set<string>();
        const look = async (count: number) => {
          await expectPage(inbox.getByRole('link', { name: /process\.run.*\d:\d\d/ })).toHaveCount(
            count,
          );
          const shown = home.getByRole('link', { name: /^process\.run/ });
          await expectPage(shown).toHaveCount(Math.min(count, 3));
          const history = await inbox.getByRole('heading', { name: 'History' }).boundingBox();
          const calls = await home.getByRole('heading', { name: 'Tool calls' }).boundingBox();
          seen.add(`${history?.y} ${calls?.y}`);
        };
        await look(0);
        for (let count = 1; count <= 5; count += 1) {
          await askOnce();
          if (count === 1 || count > 3) await look(count);
        }
        await answerAll();
        await look(0);
        expect([...seen]).toHaveLength(1);
      }
    },
  );
});

/** One more question that waits. */
async function askOnce(): Promise<void> {
  for await (const { event } of stage().client.runs.startRun({ prompt: LONG })) {
    if (event.case === 'approvalChanged') return;
  }
}

async function answerAll(): Promise<void> {
  const { client } = stage();
  const { approvals } = await client.approvals.listApprovals({ status: ApprovalStatus.PENDING });
  for (const { approvalId, fingerprint } of approvals) {
    const answer = ApprovalStatus.DENIED;
    await client.approvals.answerApproval({ approvalId, fingerprint, answer });
  }
}
