import { describe, expect, it } from 'vitest';
import { ModelFailure } from './failure.ts';
import type { ModelRequest } from './model-port.ts';
import { FAULTS, chaotic, seeded } from './testing/chaos.fixture.ts';
import { modelServer, streams } from './testing/model-server.fixture.ts';
import { HELLO } from './testing/sample-request.fixture.ts';
import { type Heard, hear, testModel } from './testing/test-model.fixture.ts';
import { WIRES, eventsOf } from './testing/wire-answers.fixture.ts';

const SPEECH = {
  reasoning: ['hm, ', 'größe 🦊'],
  text: ['a ', 'b\n', '🦊'],
  calls: [
    { name: 'fs_read', args: { path: 'ä.txt', lines: [1, 2] } },
    { name: 'process_run', args: {} },
  ],
  usage: { input: 100, output: 20, cached: 60 },
} as const;

const TOOLS: ModelRequest = {
  ...HELLO,
  tools: ['fs.read', 'process.run'].map((name) => ({ name, says: name, schema: {} })),
};

const WHOLE = eventsOf(SPEECH).filter(({ kind }) => kind !== 'usage');
const SEEDS = 8;
/** A good answer that comes too late on a busy machine is asked for again, as often as the settings allow. */
const PATIENT = 10;
const QUICK = { first_byte_timeout_ms: 60, idle_timeout_ms: 60, attempts: 3 } as const;

/**
 * Whole, or a beginning of it with a failure that has a name; calls only in a whole one. Counts may
 * come after the end of what is said, and be lost alone.
 */
function expectSound({ events, error }: Heard): void {
  const spoken = events.filter(({ kind }) => kind !== 'usage' && kind !== 'lost');
  if (error === undefined) return expect(spoken).toEqual(WHOLE);
  expect(error).toBeInstanceOf(ModelFailure);
  expect(spoken).toEqual(WHOLE.slice(0, spoken.length));
  expect(spoken.map(({ kind }) => kind)).not.toContain('tool-call');
}

describe.each(Object.entries(WIRES))('an answer that speaks %s', (_name, wire) => {
  const text = wire.speak(SPEECH);

  it.each(FAULTS)('is sound, or fails by name, with a %s at any place', async (fault) => {
    const random = seeded(FAULTS.indexOf(fault) + 1);
    for (let seed = 0; seed < SEEDS; seed += 1) {
      await using server = await modelServer(chaotic(text, fault, random));
      using test = await testModel({ wire, url: server.url, settings: QUICK });
      expectSound(await hear(test.model, TOOLS));
    }
  });

  it('comes through when the trouble is over before a word was said', async () => {
    const random = seeded(99);
    for (const fault of FAULTS) {
      const early = chaotic('', fault, random);
      await using server = await modelServer(early, early, streams(text));
      const settings = { ...QUICK, attempts: PATIENT };
      using test = await testModel({ wire, url: server.url, settings });
      expect(await hear(test.model, TOOLS)).toEqual({ events: eventsOf(SPEECH), error: undefined });
    }
  });
});
