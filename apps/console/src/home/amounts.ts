const kept: { count?: Intl.NumberFormat } = {};

export function writeCount(count: number): string {
  kept.count ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return kept.count.format(count);
}

/** `93 MB`. */
export function writeBytes(bytes: bigint): string {
  return `${Math.round(Number(bytes) / 1_000_000)} MB`;
}
