import type { UsageEvent } from './model-port.ts';

/** What a provider counted. Input holds what was read from and written to its cache. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
}

/** US dollars per million tokens, which is also millionths of a dollar per token. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite: number;
}

/** Contract: no prices, no cost. There is no list of prices here: they change, and it would lie. */
export function usageEvent(counts: TokenCounts, prices: Prices | undefined): UsageEvent {
  const { inputTokens, outputTokens, cachedTokens } = counts;
  const usage = { kind: 'usage', inputTokens, outputTokens, cachedTokens } as const;
  return prices === undefined ? usage : { ...usage, costMicroUsd: costOf(counts, prices) };
}

/** Without a word of a cache: nothing of it was read from one. Contract: no prices, no cost. */
export function dearest(
  tokens: Pick<TokenCounts, 'inputTokens' | 'outputTokens'>,
  prices: readonly (Prices | undefined)[],
): number | undefined {
  const counts = { ...tokens, cachedTokens: 0, cacheWriteTokens: 0 };
  const costs = prices.filter((each) => each !== undefined).map((each) => costOf(counts, each));
  return costs.length === 0 ? undefined : Math.max(...costs);
}

function costOf(counts: TokenCounts, prices: Prices): number {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = counts;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  return Math.ceil(
    fresh * prices.input +
      cachedTokens * prices.cached +
      cacheWriteTokens * prices.cacheWrite +
      outputTokens * prices.output,
  );
}
