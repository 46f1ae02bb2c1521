const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export function writeCount(count: number): string {
  return COUNT.format(count);
}

/** `93 MB`. */
export function writeBytes(bytes: bigint): string {
  return `${Math.round(Number(bytes) / 1_000_000)} MB`;
}
