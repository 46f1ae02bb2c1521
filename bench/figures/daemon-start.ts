import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { NODE, timeProgram } from '../rig/child.ts';
import { type Home, daemonHome } from '../rig/home.ts';
import { startDaemon } from '../rig/server.ts';

const FIRST = 'palyrad, new home';
const AGAIN = 'palyrad, existing home';
const EMPTY = 'node -e 0';

export const daemonStart: Figure = {
  says: 'The daemon is ready, from the start of its process to the first 200 from /readyz.',
  targets: [
    { kind: 'ratio', subject: FIRST, baseline: EMPTY, limit: { atMost: 6 } },
    { kind: 'ratio', subject: AGAIN, baseline: EMPTY, limit: { atMost: 6 } },
  ],
  measure: async (scale) => {
    await using kept = await daemonHome();
    await timeDaemon(kept);
    const run = await interleave({
      title: 'start of the daemon',
      quantity: DURATION,
      subjects: [
        subject(FIRST, timeFirstDaemon),
        subject(AGAIN, () => timeDaemon(kept)),
        subject(EMPTY, () => timeProgram({ file: NODE, args: ['-e', '0'] })),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 25 }),
    });
    return { runs: [run], notes: [] };
  },
};

async function timeFirstDaemon(): Promise<number> {
  await using home = await daemonHome();
  return await timeDaemon(home);
}

async function timeDaemon(home: Home): Promise<number> {
  await using daemon = await startDaemon(home);
  return daemon.readyMs;
}
