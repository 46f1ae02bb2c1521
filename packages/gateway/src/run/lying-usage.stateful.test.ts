import { fromJson } from '@bufbuild/protobuf';
import { PalyraError, type RunId, permissionsOf } from '@palyra/kernel';
import {
  DecisionKind,
  type ModelMessage,
  ModelMessageSchema,
  PrincipalKind,
  RunCompactedSchema,
  type RunEnded,
  RunEndedSchema,
  RunInterruptedSchema,
  RunStatus,
  StopReason,
  Role,
} from '@palyra/protocol';
import {
  type TestChoice,
  type TestGateway,
  policyThatSays,
  quietLog,
  rememberingSandbox,
  testGateway,
  verifies,
} from '@palyra/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelPort, ModelRequest } from '../ports.ts';
import { type RunSettings, runsSection } from '../settings.ts';
import { createGateway } from '../gateway.ts';
import { spendingMessage, spendingOf } from './budget/spending.ts';
import { entriesOfRun } from './watch.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const never = new AbortController().signal;
/** About 3000 tokens. */
const PAGE = 'word and '.repeat(1_000);

interface Told {
  readonly input: number;
  readonly output: number;
  readonly cost?: number;
}

function usage({ input, output, cost }: Told): ModelEvent {
  return {
    kind: 'usage',
    inputTokens: input,
    outputTokens: output,
    cachedTokens: 0,
    ...(cost === undefined ? {} : { costMicroUsd: cost }),
  };
}

const same = (count: number): ModelEvent => usage({ input: count, output: count });

const LIES: readonly (readonly [string, readonly ModelEvent[]])[] = [
  ['nothing', []],
  ['zero', [same(0)]],
  ['one', [same(1)]],
  ['a negative count', [same(-1_000_000)]],
  ['a count without end', [same(1e300)]],
  ['infinity', [same(Infinity)]],
  ['what is no number', [same(Number.NaN)]],
  ['a count that is not safe', [same(2 ** 53 + 2)]],
  ['a fraction', [same(4_000.5)]],
  ['little of what it answered', [usage({ input: 10_000, output: 1 })]],
  ['little of what it read', [usage({ input: 1, output: 3_000 })]],
];

const USES_ALL_UP: readonly (readonly [string, readonly ModelEvent[]])[] = [
  ['the greatest count', [same(Number.MAX_SAFE_INTEGER)]],
];

/** A language model as the gateway knows it; `turn` counts from 0. */
function modelThat(
  speak: (turn: number, request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>,
  price: ModelPort['price'] = () => undefined,
): ModelPort {
  return {
    name: 'lying',
    isScript: false,
    choose: () => ({ kind: 'chosen', name: 'lying' }),
    price,
    reply: (request, signal) => {
      const turn = request.conversation.filter(({ role }) => role === 'model').length;
      return speak(turn, request, signal);
    },
  };
}

/** Goes on for ever, if nobody stops it. */
function endless(told: readonly ModelEvent[], price?: ModelPort['price']): ModelPort {
  return modelThat(async function* (turn) {
    yield { kind: 'text', text: PAGE };
    yield { kind: 'tool-call', tool: 'a', argumentsJson: `{"place":${turn}}` };
    yield* told;
  }, price);
}

/** A millionth of a dollar for each token. */
const atOne: ModelPort['price'] = ({ inputTokens, outputTokens }) => inputTokens + outputTokens;

function settings(limits: Partial<RunSettings>): RunSettings {
  return { ...runsSection.parse({}), max_turns: 40, ...limits };
}

async function openGateway(chosen: TestChoice): Promise<TestGateway> {
  const policy = policyThatSays({ kind: DecisionKind.ALLOW });
  return await testGateway({ policy, log: quietLog(), ...chosen });
}

async function endOf(test: TestGateway, runId: RunId): Promise<RunEnded> {
  const last = (await entriesOf(test, runId)).at(-1);
  if (last?.kind !== 'run.ended') throw new Error('the run has no end');
  return fromJson(RunEndedSchema, last.payload);
}

async function entriesOf({ journal }: TestGateway, runId: RunId) {
  return await Array.fromAsync(entriesOfRun(runId, 0, journal));
}

async function through(test: TestGateway) {
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  await Array.fromAsync(run.events(never));
  return { runId: run.runId, end: await endOf(test, run.runId) };
}

async function dayOf({ journal }: TestGateway): Promise<unknown> {
  return (await journal.records.get('day_budgets', ada.principal))?.body;
}

/** A day on which nothing else was spent. */
function dayWith(tokens: bigint | undefined) {
  return { spent: { tokens: String(tokens) }, held: {} };
}

async function messagesOf(test: TestGateway, runId: RunId): Promise<readonly ModelMessage[]> {
  const entries = await entriesOf(test, runId);
  return entries
    .filter(({ kind }) => kind === 'model.message')
    .map(({ payload }) => fromJson(ModelMessageSchema, payload));
}

describe.each([...LIES, ...USES_ALL_UP])('a model server that says it used %s', (_lie, told) => {
  it('is stopped by the tokens of the run', verifies('runs:budgets-are-limits'), async () => {
    await using test = await openGateway({
      model: endless(told),
      settings: settings({ max_tokens: 40_000 }),
    });
    const { end } = await through(test);
    expect(end).toMatchObject({ status: RunStatus.FAILED, stopReason: StopReason.TOKENS });
    expect(Number(end.spent?.tokens)).toBeGreaterThan(20_000);
    expect(await dayOf(test)).toMatchObject(dayWith(end.spent?.tokens));
  });

  it('is stopped by the tokens of the day', verifies('runs:budgets-are-limits'), async () => {
    const model = endless(told);
    await using test = await openGateway({ model, day: { day_tokens: 40_000 } });
    await through(test);
    const { end } = await through(test);
    expect(end.stopReason).toBe(StopReason.DAY);
    expect(end.spent?.modelTurns).toBeLessThan(2);
  });
});

describe.each(LIES)('a model server with a price that says it used %s', (_lie, told) => {
  it.each([
    ['run', StopReason.MONEY, { max_cost_micro_usd: 30_000 }, {}],
    ['day', StopReason.DAY, {}, { day_cost_micro_usd: 30_000 }],
  ] as const)('is stopped by the money of the %s', async (_of, stopReason, limits, day) => {
    const model = endless(told, atOne);
    await using test = await openGateway({ model, settings: settings(limits), day });
    const { end } = await through(test);
    expect(end.stopReason).toBe(stopReason);
    expect(Number(end.spent?.costMicroUsd)).toBeGreaterThan(10_000);
  });
});

describe('money', () => {
  it.each([
    ['run', StopReason.MONEY, { max_cost_micro_usd: 4_000 }, {}],
    ['day', StopReason.DAY, {}, { day_cost_micro_usd: 4_000 }],
  ] as const)(
    'of the %s is reserved before a model with a price is asked for the first time',
    verifies('runs:budgets-are-limits'),
    async (_of, stopReason, limits, day) => {
      let asked = 0;
      const model = modelThat(async function* () {
        asked += 1;
        yield { kind: 'text', text: PAGE };
      }, atOne);
      await using test = await openGateway({ model, settings: settings(limits), day });
      const { end } = await through(test);
      expect(end).toMatchObject({ stopReason, spent: { modelTurns: 0 } });
      expect(asked).toBe(0);
    },
  );

  it('bounds what a model may answer with', async () => {
    const most: (number | undefined)[] = [];
    const model = modelThat(async function* (_turn, { maxOutputTokens }) {
      most.push(maxOutputTokens);
      yield { kind: 'text', text: PAGE };
    }, atOne);
    const limits = { max_cost_micro_usd: 12_000 };
    await using test = await openGateway({ model, settings: settings(limits) });
    await through(test);
    expect(most).toHaveLength(1);
    expect(most[0]).toBeGreaterThanOrEqual(4_096);
    expect(most[0]).toBeLessThan(12_000);
  });
});

describe('a cost that cannot be', () => {
  it.each([-1, Number.NaN, Infinity])('of %s uses the money up', async (cost) => {
    const model = endless([usage({ input: 10_000, output: 3_000, cost })]);
    await using test = await openGateway({ model });
    const { end } = await through(test);
    expect(end).toMatchObject({ stopReason: StopReason.MONEY, spent: { modelTurns: 1 } });
  });
});

describe('a model server whose count can be', () => {
  it('is believed, also when it is below our own', async () => {
    const model = modelThat(async function* () {
      yield { kind: 'text', text: PAGE };
      yield usage({ input: 500, output: 1_800, cost: 12 });
    }, atOne);
    await using test = await openGateway({ model });
    const { runId, end } = await through(test);
    expect(end.spent).toMatchObject({ tokens: 2_300n, costMicroUsd: 12n });
    const [message] = await messagesOf(test, runId);
    expect(message?.usage).toMatchObject({ isEstimated: false, outputTokens: 1_800n });
  });

  it('is marked where it is our own', async () => {
    const model = modelThat(async function* () {
      yield { kind: 'text', text: PAGE };
    });
    await using test = await openGateway({ model });
    const { runId } = await through(test);
    const [message] = await messagesOf(test, runId);
    expect(message?.usage).toMatchObject({ isEstimated: true, outputTokens: 3_000n });
  });
});

describe('a turn that comes to nothing', () => {
  const failing = (event: ModelEvent) =>
    modelThat(async function* () {
      yield event;
      throw new PalyraError('MODEL_FAILED', 'the model is gone');
    });

  it.each(['text', 'reasoning'] as const)('counts when it fails after some %s', async (kind) => {
    await using test = await openGateway({ model: failing({ kind, text: PAGE }) });
    const { end, runId } = await through(test);
    expect(end).toMatchObject({ status: RunStatus.FAILED, spent: { modelTurns: 1 } });
    expect(Number(end.spent?.tokens)).toBeGreaterThan(3_000);
    expect(await dayOf(test)).toMatchObject(dayWith(end.spent?.tokens));
    const told = spendingMessage(spendingOf(await entriesOf(test, runId)));
    expect({ ...told, wallMs: 0n }).toEqual({ ...end.spent, wallMs: 0n });
  });

  it('counts when it says more than it may', async () => {
    const model = failing({ kind: 'text', text: PAGE.repeat(2) });
    await using test = await openGateway({ model, settings: settings({ max_turn_bytes: 10_000 }) });
    const { end } = await through(test);
    expect(Number(end.spent?.tokens)).toBeGreaterThan(6_000);
  });

  const hanging = () => {
    const began = Promise.withResolvers<void>();
    const model = modelThat(async function* (_turn, _request, signal) {
      yield { kind: 'reasoning', text: PAGE };
      began.resolve();
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    });
    return { model, began: began.promise };
  };

  it('counts when it is cancelled', async () => {
    const { model, began } = hanging();
    await using test = await openGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await began;
    await test.gateway.runs.cancel(run.runId, ada);
    const end = await endOf(test, run.runId);
    expect(end.status).toBe(RunStatus.CANCELLED);
    expect(Number(end.spent?.tokens)).toBeGreaterThan(3_000);
    expect(await dayOf(test)).toMatchObject(dayWith(end.spent?.tokens));
  });

  it('counts when the daemon stops, and the run goes on from there', async () => {
    const { model, began } = hanging();
    await using test = await openGateway({ model });
    const { runId } = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await began;
    await test.gateway.runs.drain(0);
    const last = (await entriesOf(test, runId)).at(-1);
    if (last?.kind !== 'run.interrupted') throw new Error('the run was not interrupted');
    const before = fromJson(RunInterruptedSchema, last.payload).spent?.tokens;
    expect(Number(before)).toBeGreaterThan(3_000);
    expect(await dayOf(test)).toMatchObject(dayWith(before));

    const done = modelThat(async function* () {
      yield { kind: 'text', text: 'done' };
    });
    const { runs } = createGateway({ ...test.parts, model: done });
    const resumed = await runs.resume(runId, ada);
    await Array.fromAsync(resumed.events(never));
    const { spent } = await endOf(test, runId);
    expect(spent?.modelTurns).toBe(2);
    expect(Number(spent?.tokens)).toBeGreaterThan(Number(before));
    expect(await dayOf(test)).toMatchObject(dayWith(spent?.tokens));
  });

  it('counts when it was to tell a conversation in short', async () => {
    const model = modelThat(async function* (turn, { tools, conversation }) {
      if (tools.length === 0) throw new PalyraError('MODEL_FAILED', 'the model is gone');
      yield { kind: 'text', text: 'x'.repeat(900) };
      const isShort = conversation.some(({ text }) => text.includes('left out, because'));
      if (!isShort) yield { kind: 'tool-call', tool: 'a', argumentsJson: `{"place":${turn}}` };
    });
    await using test = await openGateway({
      model,
      settings: settings({ context_tokens: 6_000 }),
      sandbox: rememberingSandbox('x'.repeat(5_000)),
      catalogue: { find: () => undefined, offered: () => [{ name: 'a', says: 'a', schema: {} }] },
    });
    const { runId } = await through(test);
    const entry = (await entriesOf(test, runId)).find(({ kind }) => kind === 'run.compacted');
    if (entry === undefined) throw new Error('nothing was told in short');
    const { usage: took } = fromJson(RunCompactedSchema, entry.payload);
    expect(took).toMatchObject({ isEstimated: true });
    expect(Number(took?.inputTokens)).toBeGreaterThan(1_000);
  });
});

describe('what a run has spent', () => {
  const count = fc.oneof(
    fc.integer({ min: -10, max: 20_000 }),
    fc.double({ min: -1e300, max: 1e300 }),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 53 + 2, Number.NaN),
  );
  const turn = fc.record({
    text: fc.integer({ min: 1, max: 9_000 }).map((length) => 'x'.repeat(length)),
    told: fc.option(fc.record({ input: count, output: count, cost: fc.nat(1_000) })),
  });

  it('is the same in the journal as it was counted, whatever the model says', async () => {
    const turns = fc.array(turn, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(turns, fc.boolean(), async (script, hasPrice) => {
        const model = modelThat(
          async function* (place) {
            const said = script[place];
            if (said === undefined) return;
            yield { kind: 'text', text: said.text };
            const isLast = place === script.length - 1;
            const argumentsJson = `{"place":${place}}`;
            if (!isLast) yield { kind: 'tool-call', tool: 'a', argumentsJson };
            if (said.told !== null) yield usage(said.told);
          },
          hasPrice ? atOne : undefined,
        );
        await using test = await openGateway({ model });
        const { runId, end } = await through(test);
        const entries = (await entriesOf(test, runId)).filter(({ kind }) => kind !== 'run.ended');
        const told = spendingMessage(spendingOf(entries));
        expect({ ...told, wallMs: 0n }).toEqual({ ...end.spent, wallMs: 0n });
        expect(await dayOf(test)).toMatchObject(dayWith(end.spent?.tokens));
      }),
      { numRuns: 25 },
    );
  });
});
