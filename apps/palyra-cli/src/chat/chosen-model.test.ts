import { create } from '@bufbuild/protobuf';
import { ModelSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { chosenModel } from './chosen-model.ts';

const models = [
  { name: 'openai:a', isChoice: true },
  { name: 'google:b', isChoice: true },
  { name: 'openai:b', isChoice: true },
  { name: 'openai:c', isChoice: false },
].map((model) => create(ModelSchema, model));

describe('a model that is chosen', () => {
  it.each([
    ['openai:a', 'openai:a'],
    ['a', 'openai:a'],
    ['google:b', 'google:b'],
  ])('%s is %s', (name, whole) => {
    expect(chosenModel(models, name)).toBe(whole);
  });

  it.each(['nope', 'b', 'openai:c', ''])('%j is refused, with those that there are', (name) => {
    expect(() => chosenModel(models, name)).toThrow(
      expect.objectContaining({
        code: 'NOT_FOUND',
        help: 'there are `openai:a`, `google:b`, `openai:b`',
      }),
    );
  });
});
