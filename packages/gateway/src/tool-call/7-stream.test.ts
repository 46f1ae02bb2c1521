import { create } from '@bufbuild/protobuf';
import type { RunId } from '@palyra/kernel';
import {
  ModelMessageSchema,
  ModelSpokenSchema,
  RunEndedSchema,
  type RunEvent,
} from '@palyra/protocol';
import { type TestGateway, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { draftOf } from '../run/run-note.ts';
import { RunStream } from '../run/run-stream.ts';
import { publishFrom } from './7-stream.ts';

const actor = 'agent';
const never = new AbortController().signal;

/** A run whose stream is fed from the journal, and what a watcher has heard when it ends. */
function streamed({ parts, journal }: TestGateway) {
  const run = { runId: parts.ids.next<'run'>(), sessionId: parts.ids.next<'session'>() };
  const stream = new RunStream(run.runId, 100);
  const streamOf = (runId: RunId) => (runId === run.runId ? stream : undefined);
  const publishing = publishFrom(journal, streamOf);
  const watcher = stream.subscribe();
  const heard = async () => {
    stream.end();
    publishing[Symbol.dispose]();
    return await Array.fromAsync(watcher.events(never));
  };
  const say = (text: string) => {
    const message = create(ModelMessageSchema, { text });
    return draftOf(run, { kind: 'model.message', actor, message });
  };
  return { run, stream, watcher, heard, say };
}

const textOf = ({ event }: RunEvent) =>
  event.case === 'modelMessage' ? event.value.text : event.case;

describe('whoever watches a run', () => {
  it('hears of its entries in the order of the journal, whoever goes on first', async () => {
    await using test = await testGateway();
    const { heard, say } = streamed(test);
    // The first needs more turns than the others before it can say that its entry is there.
    const slow = async () => {
      const written = test.journal.append([say('one')]);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return await written;
    };
    await Promise.all([slow(), test.journal.append([say('two')]), test.journal.append([say('3')])]);
    const events = await heard();
    expect(events.map(textOf)).toEqual(['one', 'two', '3']);
    expect(events.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n]);
  });

  it('hears nothing of other runs, nor again what was spoken', async () => {
    await using test = await testGateway();
    const { run, heard, say } = streamed(test);
    const other = { ...run, runId: test.parts.ids.next<'run'>() };
    const message = create(ModelSpokenSchema, { text: 'on' });
    await test.journal.append([
      { ...say('theirs'), runId: other.runId },
      draftOf(run, { kind: 'model.spoken', actor, message }),
      say('one'),
    ]);
    expect((await heard()).map(textOf)).toEqual(['one']);
  });

  it('hears of the end last, when the run has let go of its session', async () => {
    await using test = await testGateway();
    const { run, stream, heard, say } = streamed(test);
    using early = stream.subscribe();
    const message = create(RunEndedSchema, {});
    await test.journal.append([say('one'), draftOf(run, { kind: 'run.ended', actor, message })]);
    const first = await early.events(never).next();
    expect(textOf(first.value ?? fail())).toBe('one');
    expect((await heard()).map(textOf)).toEqual(['one', 'runEnded']);
  });

  it('is told when an entry cannot be, and nobody else is the worse for it', async () => {
    await using test = await testGateway();
    const { run, watcher, say } = streamed(test);
    const later: string[] = [];
    using _heard = test.journal.subscribe((entries) => {
      later.push(...entries.map(({ kind }) => kind));
    });
    const { runId } = run;
    await test.journal.append([{ kind: 'daemon.started', actor, runId, payload: {} }, say('one')]);
    await expect(Array.fromAsync(watcher.events(never))).rejects.toMatchObject({
      code: 'UNEXPECTED',
    });
    expect(later).toEqual(['daemon.started', 'model.message']);
  });
});

function fail(): never {
  throw new Error('there was no event');
}
