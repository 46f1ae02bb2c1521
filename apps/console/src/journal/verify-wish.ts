import type { VerifyScope } from './use-verification.ts';

/** What somebody has filled in. */
export interface VerifyWish {
  readonly what: 'all' | 'range' | 'run';
  readonly from: string;
  readonly to: string;
  readonly run: string;
}

const NUMBER = /^[1-9][0-9]{0,14}$/;
const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Contract: text for what cannot be verified, and why. */
export function scopeOf({ what, from, to, run }: VerifyWish): VerifyScope | string {
  switch (what) {
    case 'all':
      return {};
    case 'run': {
      const id = run.trim().toUpperCase();
      return ID.test(id) ? { run: id } : 'A run is named by its id, 26 letters and digits.';
    }
    case 'range': {
      if (!NUMBER.test(from.trim())) return 'Name the number of the first entry.';
      if (to.trim() !== '' && !NUMBER.test(to.trim())) return 'Name the number of the last entry.';
      const first = BigInt(from.trim());
      const last = to.trim() === '' ? 0n : BigInt(to.trim());
      if (last !== 0n && last < first) return 'The last entry comes before the first.';
      return { from: first, to: last };
    }
  }
}

/** How many entries that will be, where it can be known; `newest` is 0 while nobody knows it. */
export function expectedEntries(scope: VerifyScope, newest: bigint): number | undefined {
  if (scope.run !== undefined) return undefined;
  const { from = 1n, to = 0n } = scope;
  const last = to === 0n ? newest : to;
  return last < from ? undefined : Number(last - from) + 1;
}
