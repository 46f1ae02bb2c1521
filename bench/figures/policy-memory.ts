import { decideManyCalls } from '../../packages/policy/soak/steady-memory.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { MEMORY, interleave } from '../harness.ts';

const TENTH = 'resident after 10 %';
const HALF = 'resident after 50 %';
const ALL = 'resident after 100 %';

export const policyMemory: Figure = {
  says: 'Memory of a process that makes one decision after another, no two of them about the same call.',
  targets: [{ kind: 'ratio', subject: ALL, baseline: TENTH, limit: { atMost: 1.05 } }],
  measure: async (scale) => {
    const warmUps = scale === 'small' ? 0 : 30_000;
    const decisions = scale === 'small' ? 2_000 : 100_000;
    const run = await interleave({
      title: 'memory of many decisions',
      quantity: MEMORY,
      subjects: [
        async () => {
          const { tenth, half, all } = await decideManyCalls({ warmUps, count: decisions });
          return { [TENTH]: tenth, [HALF]: half, [ALL]: all };
        },
      ],
      ...ONE_ROUND,
    });
    const notes = [
      `${decisions} decisions with 15 rules, after ${warmUps} in which the cache and the heap settle. \`npm run soak -- policy-decisions\` makes a million.`,
    ];
    return { runs: [run], notes };
  },
};
