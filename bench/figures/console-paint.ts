import { openStage } from '../../tests/e2e/console/harness.ts';
import { setup } from '../../tools/setup/built-programs.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { launchBareBrowser } from '../rig/bare-browser.ts';
import { type Wish, signIn, timePaint } from '../rig/first-frame.ts';

const CONSOLE = 'the console, signed in, Home';
const ANSWERED = 'the same, with the state of the gateway on it';
const AGAIN = 'the same, on a later visit';
const EMPTY = 'a page that only says a sentence';
const SLOWDOWN = 4;

export const consolePaint: Figure = {
  says: `From the start of a navigation to the first frame with something useful, on a processor ${SLOWDOWN} times slower, on a first visit: nothing in the cache. Useful is the page as its caller may use it, and with the state of the gateway on it; what else its cards have asked for comes a moment later, and on a later visit the scripts are in the cache.`,
  targets: [
    { kind: 'value', subject: CONSOLE, limit: { atMost: 1_000 } },
    { kind: 'value', subject: ANSWERED, limit: { atMost: 1_000 } },
  ],
  measure: async (scale) => {
    await setup();
    await using stage = await openStage([[{ text: 'hello\n' }]]);
    await using browser = await launchBareBrowser();
    await signIn(browser, await stage.link());
    const home = `${stage.origin}/`;
    const paint = (wish: Omit<Wish, 'slowdown'>) =>
      timePaint(browser, { ...wish, slowdown: SLOWDOWN });
    const run = await interleave({
      title: 'first useful frame',
      quantity: DURATION,
      subjects: [
        subject(CONSOLE, () => paint({ url: home, selector: 'main h1' })),
        subject(ANSWERED, () => paint({ url: home, selector: 'main dl' })),
        subject(AGAIN, () => paint({ url: home, selector: 'main h1', isCached: true })),
        subject(EMPTY, () => paint({ url: `${home}healthz`, selector: 'pre' })),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 2, rounds: 15 }),
    });
    return {
      runs: [run],
      notes: [
        'Chromium without a window, over loopback. Nothing listens to what happens in its pages, as in a visitor’s browser.',
      ],
    };
  },
};
