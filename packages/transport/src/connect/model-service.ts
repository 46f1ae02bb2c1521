import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { type ModelFlows, type ModelStanding, type ModelUsage, detailOf } from '@palyra/gateway';
import type { PalyraError } from '@palyra/kernel';
import { type Model, ModelSchema, type ModelService, ModelUsageSchema } from '@palyra/protocol';

export function modelService(models: ModelFlows): ServiceImpl<typeof ModelService> {
  return {
    async listModels({ withOffered }, { signal }) {
      const listed = { models: models.desk.list().map(toModel) };
      if (!withOffered) return listed;
      const { names, error } = await models.offered(signal);
      return { ...listed, offered: [...names], ...errorIn(error) };
    },
    async testModel({ name }, { signal }) {
      const { usage, error, ...tested } = await models.test(name, signal);
      return {
        ...tested,
        ...(usage === undefined ? {} : { usage: toUsage(usage) }),
        ...errorIn(error),
      };
    },
  };
}

function errorIn(error: PalyraError | undefined) {
  return error === undefined ? {} : { error: detailOf(error) };
}

function toModel({ prices, askedAgainAt, ...standing }: ModelStanding): Model {
  return create(ModelSchema, {
    ...standing,
    askedAgainAt: askedAgainAt?.toISOString() ?? '',
    ...(prices === undefined
      ? {}
      : { inputPrice: microUsd(prices.input), outputPrice: microUsd(prices.output) }),
  });
}

function microUsd(usd: number): bigint {
  return BigInt(Math.round(usd * 1_000_000));
}

function toUsage({ inputTokens, outputTokens, cachedTokens, costMicroUsd }: ModelUsage) {
  return create(ModelUsageSchema, {
    inputTokens: BigInt(inputTokens),
    outputTokens: BigInt(outputTokens),
    cachedTokens: BigInt(cachedTokens),
    ...(costMicroUsd === undefined ? {} : { costMicroUsd: BigInt(costMicroUsd) }),
  });
}
