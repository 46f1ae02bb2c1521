import { type Clock, systemClock } from '@palyra/kernel';
import { type LogLine, quietLog } from '@palyra/testkit';
import { type Model, createModel } from '../create-model.ts';
import type { Keepsake, ModelRequest, SaidEvent } from '../model-port.ts';
import { type ModelsSettings, modelsSection } from '../models-section.ts';
import { HELLO } from './sample-request.fixture.ts';
import type { WireFixture } from './wire-answers.fixture.ts';

/** No text of a test ends as it begins: that end would be held back, and come as a piece of its own. */
export const TEST_KEY = '#test-key-that-nobody-may-ever-see-0123456789';

export interface TestModelWish {
  readonly wire: WireFixture;
  readonly url: string;
  readonly settings?: Partial<ModelsSettings>;
  readonly clock?: Clock;
}

export interface TestModel extends Disposable {
  readonly model: Model;
  readonly logged: readonly LogLine[];
  readonly waits: readonly number[];
}

/** A model behind a server on this machine. Waits between attempts are over at once. */
export async function testModel({ wire, url, settings, clock }: TestModelWish): Promise<TestModel> {
  const log = quietLog();
  const waits: number[] = [];
  const model = await createModel({
    settings: modelsSection.parse({
      provider: wire.provider,
      api: wire.api,
      model: 'test-model',
      base_url: `${url}${wire.root}`,
      key_env: 'TEST_KEY',
      ...settings,
    }),
    environment: { TEST_KEY },
    workspaces: [],
    own: [],
    clock: clock ?? impatientClock(waits),
    log,
    random: () => 0,
  });
  return { model, logged: log.lines, waits, [Symbol.dispose]: () => model[Symbol.dispose]() };
}

export interface Heard {
  readonly events: readonly SaidEvent[];
  readonly error: unknown;
}

export interface HeardTurn extends Heard {
  readonly keepsake: Keepsake | undefined;
}

/** Everything that a turn says to people and that counts in the end, and how it ended. */
export async function hear(
  model: Model,
  request: ModelRequest = HELLO,
  signal: AbortSignal = new AbortController().signal,
): Promise<Heard> {
  const { keepsake: _kept, ...heard } = await hearTurn(model, request, signal);
  return heard;
}

/** The same with what the provider wants back. */
export async function hearTurn(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<HeardTurn> {
  let events: SaidEvent[] = [];
  let keepsake: Keepsake | undefined;
  try {
    for await (const event of model.reply(request, signal)) {
      if (event.kind === 'keepsake') keepsake = event.keepsake;
      else if (event.kind === 'asked-again') events = [];
      else if (event.kind !== 'nothing-used') events.push(event);
    }
    return { events, keepsake, error: undefined };
  } catch (error) {
    return { events, keepsake, error };
  }
}

function impatientClock(waits: number[]): Clock {
  const clock = systemClock();
  let sleptMs = 0;
  const sleep = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    waits.push(ms);
    sleptMs += ms;
  };
  return { now: () => new Date(clock.now().getTime() + sleptMs), sleep };
}
