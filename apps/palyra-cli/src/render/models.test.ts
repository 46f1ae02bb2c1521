import { create } from '@bufbuild/protobuf';
import {
  ErrorDetailSchema,
  ModelSchema,
  ModelUsageSchema,
  TestModelResponseSchema,
} from '@palyra/protocol';
import { expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printModels, printTested } from './models.ts';

const MODEL = {
  name: 'openai:a\u001b[2J',
  baseUrl: 'https://api.example/v1',
  api: 'responses',
  breaker: 'half-open',
  isDefault: true,
  isChoice: true,
  keySource: 'the variable A',
  hasKey: true,
  inputPrice: 1_250_000n,
  outputPrice: 10_000_000n,
};

it('a list of models says what each is for, and takes no orders from their names', () => {
  const { terminal, stdout } = recordedTerminal();
  const other = { name: 'openai:b', api: 'chat', isDefault: false, failoverRank: 1 };
  const second = { ...MODEL, ...other, hasKey: false };
  printModels(terminal, [create(ModelSchema, MODEL), create(ModelSchema, second)]);
  expect(stdout()).not.toContain('\u001b');
  expect(stdout()).toMatch(/responses +default +half-open +1\.25 in, 10 out +the variable A /);
  expect(stdout()).toMatch(/openai:b +chat +choice, failover 1 .*the variable A, missing/);
});

it('a list of models says until when one is left alone', () => {
  const { terminal, stdout } = recordedTerminal();
  const resting = { ...MODEL, breaker: 'open', askedAgainAt: '2026-01-01T05:59:12.345Z' };
  printModels(terminal, [create(ModelSchema, resting)]);
  expect(stdout()).toMatch(/default +open until 05:59:12 UTC +1\.25 in/);
});

it('a test that failed says why and what to do', () => {
  const { terminal, stdout } = recordedTerminal();
  const error = create(ErrorDetailSchema, { message: 'the key is wrong', help: 'check the key' });
  printTested(terminal, create(TestModelResponseSchema, { name: 'openai:a', totalMs: 7, error }));
  expect(stdout()).toContain('openai:a does not answer');
  expect(stdout()).toContain('the key is wrong');
  expect(stdout()).toContain('try: check the key');
});

it('a test that went well says what it took', () => {
  const { terminal, stdout } = recordedTerminal();
  const usage = create(ModelUsageSchema, { inputTokens: 9n, outputTokens: 1n, costMicroUsd: 21n });
  const tested = { name: 'openai:a', text: 'ready', firstTokenMs: 5, totalMs: 7, usage };
  printTested(terminal, create(TestModelResponseSchema, tested));
  expect(stdout()).toMatch(/said +ready/);
  expect(stdout()).toMatch(/used +9 tokens in, 1 out, 0\.000021 USD/);
});

it('a test shows line breaks of a model as spaces', () => {
  const { terminal, stdout } = recordedTerminal();
  const tested = { name: 'openai:a', text: 'I am\n\nready\u001b\n' };
  printTested(terminal, create(TestModelResponseSchema, tested));
  expect(stdout()).toMatch(/said +I am ready\\u\{001b\}\n/);
});
