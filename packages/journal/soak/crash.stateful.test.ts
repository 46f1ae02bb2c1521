import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { crashCampaign } from './crash-campaign.ts';

describe('a process that writes to the journal and is killed at random moments', () => {
  it(
    'loses no acknowledged entry, keeps its chain, and starts again by itself',
    { ...verifies('journal:acknowledged-is-durable'), timeout: 180_000 },
    async () => {
      const said: string[] = [];
      const result = await crashCampaign({
        seed: 20_260_102,
        crashes: 30,
        say: (line) => said.push(line),
      });
      expect(result.violations, said[0]).toEqual([]);
      expect(result.acknowledged).toBeGreaterThan(1000);
    },
  );
});
