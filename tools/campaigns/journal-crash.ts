import { parseArgs } from 'node:util';
import { crashCampaign } from '../../packages/journal/soak/crash-campaign.ts';
import { print } from '../print.ts';

/** Every `npm test` has 200 of them. */
const CRASHES = 2_000;

const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const result = await crashCampaign({ seed: Number(values.seed), crashes: CRASHES, say: print });
for (const violation of result.violations) print(violation);
print(
  `${result.crashes} crashes, ${result.acknowledged} entries acknowledged, ${result.violations.length} promises broken`,
);
process.exitCode = result.violations.length === 0 ? 0 : 1;
