import { performance } from 'node:perf_hooks';
import { commandAt } from '../../packages/policy/soak/calls.ts';
import { backtestAll, judgesFor, recordedCalls } from '../../packages/policy/soak/judges.ts';
import { setWith } from '../../packages/policy/soak/rule-sets.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { RATE, interleave, subject } from '../harness.ts';

const DECISIONS = 'decisions, one after another';
const DIFFERENT = 'backtest, all calls different';
const ALIKE = 'backtest, calls as runs make them';
const RULES = 15;
const COMMANDS = [
  ['git', 'status'],
  ['git', 'diff'],
  ['npm', 'test'],
  ['npm', 'run', 'build'],
  ['ls', '-la'],
  ['cat', 'README.md'],
];

export const policyBacktest: Figure = {
  says: 'Recorded calls that a backtest decides again in a second, from the bytes of the journal to the report, against warm decisions without a cache.',
  targets: [
    { kind: 'ratio', subject: DIFFERENT, baseline: DECISIONS, limit: { atLeast: 0.7 } },
    { kind: 'ratio', subject: ALIKE, baseline: DECISIONS, limit: { atLeast: 0.7 } },
  ],
  measure: async (scale) => {
    const counts =
      scale === 'small'
        ? { alike: 2_000, different: 1_000, decisions: 500 }
        : { alike: 100_000, different: 20_000, decisions: 4_000 };
    const set = setWith(RULES);
    const { fresh } = await judgesFor(set);
    const different = recordedCalls(counts.different, (at) => ({ at, isNew: true }));
    const alike = recordedCalls(counts.alike, (at) => ({
      at,
      command: COMMANDS[at % COMMANDS.length] ?? [],
    }));
    const requests = Array.from({ length: counts.decisions }, (_, at) =>
      commandAt({ at, isNew: true }),
    );
    const run = await interleave({
      title: 'deciding again',
      quantity: RATE,
      subjects: [
        subject(DECISIONS, () => rateOf(counts.decisions, async () => requests.forEach(fresh))),
        subject(DIFFERENT, () => rateOf(counts.different, () => backtestAll(set, different))),
        subject(ALIKE, () => rateOf(counts.alike, () => backtestAll(set, alike))),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 1, rounds: 3 }),
    });
    const notes = [
      `${RULES} rules; ${counts.alike} rows of six commands in as many runs, and ${counts.different} rows of which no two are alike to the rules. Starting the process and loading the engine in it count.`,
    ];
    return { runs: [run], notes };
  },
};

async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1_000);
}
