import { create } from '@bufbuild/protobuf';
import { type ModelUsage as RecordedUsage, ModelUsageSchema } from '@palyra/protocol';
import type { ModelUsage } from '../ports.ts';

/** What a turn took, as the journal keeps it. */
export function usageOf(usage: ModelUsage): RecordedUsage {
  const { inputTokens, outputTokens, cachedTokens, costMicroUsd } = usage;
  return create(ModelUsageSchema, {
    inputTokens: whole(inputTokens),
    outputTokens: whole(outputTokens),
    cachedTokens: whole(cachedTokens),
    ...(costMicroUsd === undefined ? {} : { costMicroUsd: whole(costMicroUsd) }),
  });
}

/** Whatever a provider says its count is: a number that is one. */
function whole(count: number): bigint {
  return BigInt(Number.isSafeInteger(count) && count > 0 ? count : 0);
}
