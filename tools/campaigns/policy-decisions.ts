import { decideManyCalls } from '../../packages/policy/soak/steady-memory.ts';
import { print } from '../print.ts';

const DECISIONS = 1_000_000;
/** From a tenth of the way on, when caches are full. */
const MAX_GROWTH = 0.05;

const { tenth, half, all } = await decideManyCalls({ warmUps: 0, count: DECISIONS });
const growth = all / tenth - 1;
const inWords = [tenth, half, all].map((megabytes) => megabytes.toFixed(0)).join(', ');
print(
  `${DECISIONS} decisions, no two alike: ${inWords} MB resident after 10 %, 50 % and 100 %, growth ${(growth * 100).toFixed(1)} %`,
);
process.exitCode = growth <= MAX_GROWTH ? 0 : 1;
