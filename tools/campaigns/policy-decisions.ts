import { type Tenths, decideManyCalls } from '../../packages/policy/soak/steady-memory.ts';
import { print } from '../print.ts';

const DECISIONS = 1_000_000;
const WARM_UPS = 30_000;
/** From the first tenth to the last: a leak of a hundred bytes a decision would be 90 MB. */
const MAX_GROWTH = 0.05;
/** Of what is resident, in which the collector's spare room counts. */
const MAX_RESIDENT_GROWTH = 0.1;

const told = await decideManyCalls({ warmUps: WARM_UPS, count: DECISIONS });
print(
  `${DECISIONS} decisions, no two alike, first tenth → last: ${inWords(told.resident)} resident, ${inWords(told.besideHeap)} beside the heap, ${inWords(told.heapInUse)} of the heap in use`,
);
const isFlat =
  growth(told.resident) <= MAX_RESIDENT_GROWTH &&
  growth(told.besideHeap) <= MAX_GROWTH &&
  growth(told.heapInUse) <= MAX_GROWTH;
process.exitCode = isFlat ? 0 : 1;

function growth({ first, last }: Tenths): number {
  return last / first - 1;
}

function inWords(tenths: Tenths): string {
  const { first, last } = tenths;
  return `${first.toFixed(1)} → ${last.toFixed(1)} MB (${(growth(tenths) * 100).toFixed(1)} %)`;
}
