const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const COST = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 2,
});
const SMALL_COST = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});

export function writeCount(count: number): string {
  return COUNT.format(count);
}

/** Millionths of a dollar: `$0.0031`, `$12.40`. */
export function writeCost(microUsd: number): string {
  const dollars = microUsd / 1_000_000;
  return dollars !== 0 && dollars < 0.01 ? SMALL_COST.format(dollars) : COST.format(dollars);
}

/** `93 MB`. */
export function writeBytes(bytes: bigint): string {
  return `${Math.round(Number(bytes) / 1_000_000)} MB`;
}
