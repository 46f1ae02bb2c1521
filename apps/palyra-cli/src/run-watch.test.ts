import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type RunEvent, RunEventSchema, RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import { showFailure } from './failure.ts';
import { type Command, type RunWatch, watchRun } from './run-watch.ts';

type Happening = NonNullable<MessageInitShape<typeof RunEventSchema>['event']>;

const opening: Command = { command: { case: 'start', value: { prompt: 'hi' } } };
const started = { case: 'runStarted', value: { prompt: 'hi', model: 'script' } } as const;
const cancelled = { case: 'runEnded', value: { status: RunStatus.CANCELLED } } as const;
const cancelOfRun: Command = { command: { case: 'cancel', value: { runId: 'RUN' } } };

function eventOf(event: Happening): RunEvent {
  return create(RunEventSchema, { runId: 'RUN', event });
}

/** A person at the keyboard, and a daemon that plays what the test says. */
function scene(
  daemon: (heard: AsyncIterator<Command>, ctrlC: () => void) => AsyncIterable<RunEvent>,
) {
  const [notes, seen]: [string[], string[]] = [[], []];
  let press: (times: number) => void = () => {};
  let [times, left] = [0, 0];
  const ctrlC = () => {
    times += 1;
    press(times);
  };
  const parts: RunWatch = {
    opening,
    open: (commands) => daemon(commands[Symbol.asyncIterator](), ctrlC),
    show: ({ event }) => void seen.push(event.case ?? ''),
    note: (text) => void notes.push(text),
    interrupts(listener) {
      press = listener;
      return { [Symbol.dispose]: () => void (press = () => {}) };
    },
    leave: () => void (left += 1),
  };
  return { parts, notes, seen, left: () => left };
}

const NOTE = '\ncancelling the run; Ctrl-C again leaves at once';

describe('Ctrl-C in a run', () => {
  it('that comes before the first event cancels as soon as that names the run', async () => {
    const heard: (Command | undefined)[] = [];
    const { parts, notes, seen } = scene(async function* (commands, ctrlC) {
      heard.push((await commands.next()).value);
      ctrlC();
      yield eventOf(started);
      heard.push((await commands.next()).value);
      yield eventOf(cancelled);
    });
    const { runId, outcome } = await watchRun(parts);
    expect(heard).toEqual([opening, cancelOfRun]);
    expect({ runId, status: outcome.status }).toEqual({
      runId: 'RUN',
      status: RunStatus.CANCELLED,
    });
    expect(notes).toEqual([NOTE]);
    expect(seen).toEqual(['runStarted', 'runEnded']);
  });

  it('that comes in the middle cancels at once', async () => {
    const heard: (Command | undefined)[] = [];
    const { parts, notes } = scene(async function* (commands, ctrlC) {
      await commands.next();
      yield eventOf(started);
      ctrlC();
      heard.push((await commands.next()).value);
      yield eventOf(cancelled);
    });
    await watchRun(parts);
    expect(heard).toEqual([cancelOfRun]);
    expect(notes).toEqual([NOTE]);
  });

  it('that comes before anything was said takes the opening back and leaves', async () => {
    const heard: unknown[] = [];
    const { parts, notes } = scene(async function* (commands, ctrlC) {
      ctrlC();
      const { done } = await commands.next();
      heard.push(done);
      if (done === true) throw new Error('the call was aborted');
      yield eventOf(started);
    });
    await expect(watchRun(parts)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(heard).toEqual([true]);
    expect(notes).toEqual([]);
  });

  it('leaves the second time without waiting', async () => {
    const { parts, left } = scene(async function* (commands, ctrlC) {
      await commands.next();
      ctrlC();
      ctrlC();
      yield eventOf(cancelled);
    });
    await watchRun(parts);
    expect(left()).toBe(1);
  });
});

describe('a gateway that goes away', () => {
  const gone = new PalyraError('DAEMON_UNREACHABLE', 'the connection to the daemon broke off');

  it('in the middle of a run leaves it interrupted, with the way to take it up again', async () => {
    const { parts } = scene(async function* (commands) {
      await commands.next();
      yield eventOf(started);
      throw gone;
    });
    const reason: unknown = await watchRun(parts).catch((error: unknown) => error);
    const { terminal, stderr } = recordedTerminal();
    expect(showFailure(reason, terminal, 'text')).toBe('interrupted');
    expect(stderr()).toContain('`palyra up`, then `palyra runs resume RUN`');
  });

  it('before there was a run is just unreachable', async () => {
    const { parts } = scene(async function* (commands) {
      await commands.next();
      if (commands !== undefined) throw gone;
      yield eventOf(started);
    });
    await expect(watchRun(parts)).rejects.toBe(gone);
  });
});
