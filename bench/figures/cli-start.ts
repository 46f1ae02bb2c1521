import { join } from 'node:path';
import { ROOT } from '../../tools/run.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { NODE, timeProgram } from '../rig/child.ts';

const LAUNCHER = './palyra --version';
const BUNDLE = 'node dist/palyra.cjs --version';
const EMPTY = 'node -e 0';

export const cliStart: Figure = {
  says: 'The command line prints its version, from the start of the process to its end.',
  targets: [
    { kind: 'ratio', subject: LAUNCHER, baseline: EMPTY, limit: { atMost: 1.6 } },
    { kind: 'ratio', subject: BUNDLE, baseline: EMPTY, limit: { atMost: 1.6 } },
  ],
  measure: async (scale) => {
    const launcher = { file: join(ROOT, 'palyra'), args: ['--version'] };
    const bundle = { file: NODE, args: [join(ROOT, 'dist/palyra.cjs'), '--version'] };
    const empty = { file: NODE, args: ['-e', '0'] };
    const run = await interleave({
      title: 'start of the command line',
      quantity: DURATION,
      subjects: [
        subject(LAUNCHER, () => timeProgram(launcher)),
        subject(BUNDLE, () => timeProgram(bundle)),
        subject(EMPTY, () => timeProgram(empty)),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 5, rounds: 60 }),
    });
    return { runs: [run], notes: [] };
  },
};
