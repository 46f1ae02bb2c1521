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
