import { deskWithoutModels, inProcessClient, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';

it('a model that is left alone is listed with the moment when it is asked again', async () => {
  const standing = {
    name: 'openai:a',
    provider: 'openai',
    api: 'chat',
    baseUrl: 'https://api.example/v1',
    isDefault: true,
    isScript: false,
    isChoice: true,
    failoverRank: 0,
    keySource: '',
    hasKey: false,
  } as const;
  const askedAgainAt = new Date('2026-01-01T05:59:12.345Z');
  const list = () => [
    { ...standing, breaker: 'open', askedAgainAt } as const,
    { ...standing, breaker: 'closed' } as const,
  ];
  await using test = await testGateway({ modelDesk: { ...deskWithoutModels(), list } });
  const { models } = await inProcessClient(test.gateway).models.listModels({});
  expect(models.map((model) => [model.breaker, model.askedAgainAt])).toEqual([
    ['open', '2026-01-01T05:59:12.345Z'],
    ['closed', ''],
  ]);
});
