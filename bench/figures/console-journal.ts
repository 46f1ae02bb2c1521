import { cp } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openStage } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { launchBareBrowser } from '../rig/bare-browser.ts';
import { signIn, timePaint } from '../rig/first-frame.ts';
import { cachedStore } from '../rig/stores.ts';

const LONG = 'the journal’s page, 1 million entries';
const SHORT = 'the journal’s page, 1 thousand entries';

export const consoleJournal: Figure = {
  says: 'From the start of a navigation to the frame with the newest entries on it, on the page of the journal, with the scripts in the cache.',
  targets: [{ kind: 'ratio', subject: LONG, baseline: SHORT, limit: { atMost: 1.2 } }],
  measure: async (scale) => {
    await setup();
    await using long = await openPage(scale === 'small' ? 2_000 : 1_000_000);
    await using short = await openPage(1_000);
    const run = await interleave({
      title: 'the newest entries',
      quantity: DURATION,
      subjects: [subject(LONG, () => long.time()), subject(SHORT, () => short.time())],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 15 }),
    });
    return { runs: [run], notes: ['Chromium without a window, over loopback.'] };
  },
};

interface TimedPage extends AsyncDisposable {
  time(): Promise<number>;
}

/** A gateway with so many entries, and a browser of its own: cookies know no ports. */
async function openPage(entries: number): Promise<TimedPage> {
  const store = await cachedStore(entries);
  await using stack = new AsyncDisposableStack();
  const stage = stack.use(
    await openStage([[{ text: 'hello\n' }]], {
      fill: (home) => cp(dirname(store.stateDir), home.path, { recursive: true }),
    }),
  );
  const browser = stack.use(await launchBareBrowser());
  await signIn(browser, await stage.link());
  const wish = { url: `${stage.origin}/journal`, selector: '[data-entry]' };
  const release = stack.move();
  return {
    time: () => timePaint(browser, { ...wish, isCached: true, slowdown: 1 }),
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}
