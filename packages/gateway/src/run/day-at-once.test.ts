import { permissionsOf } from '@palyra/kernel';
import { PrincipalKind, Role, StopReason } from '@palyra/protocol';
import { quietLog, talkingModel, testGateway, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { ModelPort } from '../ports.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
} as const;
const never = new AbortController().signal;
const DOLLAR = 1_000_000;
/** Of a million tokens, in dollars. */
const PRICES = { input: 5, output: 25 };
/** What a provider lets a model answer with. */
const MOST_TOKENS = 16_384;

const price = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
  inputTokens * PRICES.input + outputTokens * PRICES.output;

/** Answers with as much as it may, when all have asked. */
function thirstyModel(runs: number): ModelPort & { readonly allowed: number[] } {
  const allowed: number[] = [];
  const { promise: allHere, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  return {
    ...talkingModel(),
    price,
    allowed,
    async *reply({ maxOutputTokens }) {
      const outputTokens = Math.min(MOST_TOKENS, maxOutputTokens);
      allowed.push(outputTokens);
      asked += 1;
      if (asked === runs) resolve();
      // Some get nothing of the day and never ask.
      await Promise.race([allHere, new Promise((go) => setTimeout(go, 500))]);
      yield { kind: 'text', text: 'word ' };
      const inputTokens = 1;
      const costMicroUsd = price({ inputTokens, outputTokens });
      yield { kind: 'usage', inputTokens, outputTokens, cachedTokens: 0, costMicroUsd };
    },
  };
}

async function askMany(runs: number, day: object) {
  const model = thirstyModel(runs);
  await using test = await testGateway({ model, day, log: quietLog() });
  const ends = await Promise.all(
    Array.from({ length: runs }, async (_, place) => {
      const run = await test.gateway.runs.start({ prompt: `number ${place}` }, ada);
      const events = await Array.fromAsync(run.events(never));
      const last = events.at(-1)?.event;
      if (last?.case !== 'runEnded') throw new TypeError('the run did not end');
      return last.value;
    }),
  );
  return { ends, allowed: model.allowed };
}

describe('many runs at once', () => {
  it(
    'spend no more of a day’s money than there is, however long the model may answer',
    verifies('runs:last-of-a-day-once'),
    async () => {
      const { ends } = await askMany(8, { day_cost_micro_usd: DOLLAR });
      const spent = ends.map(({ spent: each }) => Number(each?.costMicroUsd ?? 0n));
      expect(spent.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(DOLLAR);
      expect(
        ends.filter(({ stopReason }) => stopReason === StopReason.DONE).length,
      ).toBeGreaterThan(2);
    },
  );

  it('let a model say all it can while the day has plenty', async () => {
    const { allowed } = await askMany(3, {});
    expect(allowed).toEqual([MOST_TOKENS, MOST_TOKENS, MOST_TOKENS]);
  });

  it('are told what the next turn may take, and what is left, where that is too little', async () => {
    const { ends } = await askMany(1, { day_cost_micro_usd: DOLLAR / 20 });
    expect(ends[0]?.stopReason).toBe(StopReason.DAY);
    expect(ends[0]?.error?.message).toMatch(
      /^what comes next may take \d{6}, and 50000 of `budgets\.day_cost_micro_usd` \(50000\) are left for today$/,
    );
    expect(ends[0]?.error?.help).toBe('raise the named limit under `[budgets]` in palyra.toml');
  });
});
