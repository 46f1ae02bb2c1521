import { parseArgs } from 'node:util';

export interface CampaignArgs {
  readonly seed: number;
  /** How much of the whole campaign is run, of 1. */
  readonly share: number;
}

/** Contract: throws for anything but `--seed N` and `--share S` with 0 < S <= 1. */
export function readCampaignArgs(): CampaignArgs {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '0' }, share: { type: 'string', default: '1' } },
  });
  const [seed, share] = [Number(values.seed), Number(values.share)];
  if (!Number.isSafeInteger(seed)) throw new RangeError('the seed is a whole number');
  if (!(share > 0 && share <= 1)) throw new RangeError('the share is more than 0 and at most 1');
  return { seed, share };
}
