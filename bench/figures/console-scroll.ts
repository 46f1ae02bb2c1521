import type { Page } from '@playwright/test';
import { heightOf, scrolledTasks } from '../../tests/e2e/console/story-list.ts';
import { type ConsoleStage, expectPage, openStage } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave } from '../harness.ts';

const LASTED = 'longest task, as long as it lasted';
const PROCESSOR = 'longest task, processor time';
/** Each call is five events. */
const TURNS = { full: 11, small: 1 } as const;
const CALLS = 100;
/** So tall is the list once most of the run is there. */
const TALL = { full: 60_000, small: 3_000 } as const;

export const consoleScroll: Figure = {
  says: 'The longest task of the page while a run of five thousand events is scrolled from its end to its beginning.',
  targets: [{ kind: 'value', subject: LASTED, limit: { atMost: 50 } }],
  measure: async (scale) => {
    await setup();
    const turns = Array.from({ length: TURNS[scale] }, (_, turn) => turnOf(turn));
    await using stage = await openStage([...turns, [{ text: 'The end.\n' }]], {
      settings: '[runs]\nmax_tool_calls = 5000\n',
    });
    const { runId, events } = await runOnce(stage);
    await using visit = await stage.open(`/runs/${runId}`);
    const { page } = visit;
    await page.getByRole('log').waitFor();
    await expectPage.poll(() => heightOf(page)).toBeGreaterThan(TALL[scale]);
    const run = await interleave({
      title: 'scrolling',
      quantity: DURATION,
      subjects: [() => longestTasks(stage, page)],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 1, rounds: 10 }),
    });
    return { runs: [run], notes: [`${events} events, ${await heightOf(page)} pixels tall.`] };
  },
};

function turnOf(turn: number) {
  const calls = Array.from({ length: CALLS - 1 }, (_, call) => ({
    tool: 'fs.read',
    arguments: { path: `missing-${turn}-${call}.txt` },
  }));
  return [{ text: `Turn ${turn + 1}.\n` }, ...calls];
}

async function runOnce({ client }: ConsoleStage): Promise<{ runId: string; events: number }> {
  const counted = { runId: '', events: 0 };
  for await (const { runId, sequence } of client.runs.startRun({ prompt: 'read on' })) {
    counted.runId = runId;
    if (sequence !== 0n) counted.events += 1;
  }
  return counted;
}

async function longestTasks(
  { browser }: ConsoleStage,
  page: Page,
): Promise<Record<typeof LASTED | typeof PROCESSOR, number>> {
  const tasks = await scrolledTasks(browser, page);
  return {
    [LASTED]: Math.max(...tasks.map(({ lastedMs }) => lastedMs)),
    [PROCESSOR]: Math.max(...tasks.map(({ processorMs }) => processorMs)),
  };
}
