import { AxeBuilder } from '@axe-core/playwright';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleStage, type Visit, openStage, expectPage } from './harness.ts';

const PATHS = [
  '/',
  '/chat',
  '/runs',
  '/approvals',
  '/policy',
  '/journal',
  '/sandbox',
  '/devices',
  '/access',
  '/settings',
  '/doctor',
];
const ask = { tool: 'process.run', arguments: { command: 'echo', args: ['hello'] } };
const held: { stage?: ConsoleStage } = {};
function stage(): ConsoleStage {
  if (held.stage === undefined) throw new TypeError('there is no stage');
  return held.stage;
}

beforeAll(async () => {
  held.stage = await openStage([[{ text: 'I will look.\n' }, ask], [{ text: 'done\n' }]]);
  // One run that waits for a person, so that no page is empty.
  const events = stage().client.runs.startRun({ prompt: 'look around' });
  for await (const { event } of events) if (event.case === 'approvalChanged') break;
});
afterAll(async () => {
  await held.stage?.[Symbol.asyncDispose]();
});

/** Goes there and waits until nothing is waited for any more. */
async function settle({ page }: Visit, path: string): Promise<void> {
  await page.goto(`${stage().origin}${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expectPage(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('every page is accessible', verifies('console:accessible'), async () => {
    await using visit = await stage().open('/', { colorScheme });
    const found: string[] = [];
    for (const path of PATHS) {
      await settle(visit, path);
      const axe = new AxeBuilder({ page: visit.page });
      // All that a theme changes is colours.
      if (colorScheme === 'dark') axe.withRules('color-contrast');
      const { violations } = await axe.analyze();
      for (const { id, nodes } of violations) {
        found.push(`${path} ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
      }
    }
    expect(found).toEqual([]);
    expect(visit.complaints).toEqual([]);
    expect(visit.strangers).toEqual([]);
  });
});

describe('on a phone', () => {
  it('no page is wider than the screen', verifies('console:responsive'), async () => {
    await using visit = await stage().open('/', { viewport: { width: 360, height: 740 } });
    const wide: string[] = [];
    for (const path of PATHS) {
      await settle(visit, path);
      const width = Number(await visit.page.evaluate('document.documentElement.scrollWidth'));
      if (width > 360) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
  });
});
