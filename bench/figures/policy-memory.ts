import { decideManyCalls } from '../../packages/policy/soak/steady-memory.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { MEMORY, interleave } from '../harness.ts';

const RESIDENT = { first: 'resident, first tenth', last: 'resident, last tenth' };
const BESIDE = { first: 'beside the heap, first tenth', last: 'beside the heap, last tenth' };
const IN_USE = { first: 'heap in use, first tenth', last: 'heap in use, last tenth' };

export const policyMemory: Figure = {
  says: 'Memory of a process that makes one decision after another, no two of them about the same call, and gives others a turn as the daemon does.',
  targets: [
    { kind: 'ratio', subject: BESIDE.last, baseline: BESIDE.first, limit: { atMost: 1.05 } },
    { kind: 'ratio', subject: IN_USE.last, baseline: IN_USE.first, limit: { atMost: 1.05 } },
  ],
  measure: async (scale) => {
    const warmUps = scale === 'small' ? 0 : 30_000;
    const decisions = scale === 'small' ? 2_000 : 100_000;
    const run = await interleave({
      title: 'memory of many decisions',
      quantity: MEMORY,
      subjects: [
        async () => {
          const told = await decideManyCalls({ warmUps, count: decisions });
          return {
            [RESIDENT.first]: told.resident.first,
            [RESIDENT.last]: told.resident.last,
            [BESIDE.first]: told.besideHeap.first,
            [BESIDE.last]: told.besideHeap.last,
            [IN_USE.first]: told.heapInUse.first,
            [IN_USE.last]: told.heapInUse.last,
          };
        },
      ],
      ...ONE_ROUND,
    });
    const notes = [
      `${decisions} decisions with 15 rules, after ${warmUps} in which the cache and the heap settle. What is resident is the median of a tenth, and holds the spare room of the collector; what is in use is what it leaves. \`npm run soak -- policy-decisions\` makes a million.`,
    ];
    return { runs: [run], notes };
  },
};
