import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { crashCampaign } from './crash-campaign.ts';

const SEED = 20_260_102;

describe('a process that writes to the journal and is killed at random moments', () => {
  it(
    `loses no acknowledged entry, keeps its chain, and starts again by itself (seed ${SEED})`,
    { ...verifies('journal:acknowledged-is-durable'), timeout: 300_000 },
    async () => {
      const said: string[] = [];
      const result = await crashCampaign({
        seed: SEED,
        crashes: 200,
        say: (line) => said.push(line),
      });
      expect(result.violations, said[0]).toEqual([]);
      expect(result.crashes).toBe(200);
      expect(result.acknowledged).toBeGreaterThan(10_000);
    },
  );
});
