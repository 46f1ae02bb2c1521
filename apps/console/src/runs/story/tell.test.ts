import { type MessageInitShape, create } from '@bufbuild/protobuf';
import {
  ApprovalStatus,
  DecisionKind,
  Executor,
  type RunEvent,
  RunEventSchema,
  RunStatus,
  StopReason,
  ToolOutcome,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { MAX_KEPT_NOTES, MAX_KEPT_OUTPUT } from './call.ts';
import { MAX_LIVE_BYTES } from './output.ts';
import { MAX_ITEMS, type RunStory, emptyStory } from './run-story.ts';
import { MAX_THOUGHT } from './speech.ts';
import { tellAgain, tellAll } from './tell.ts';

type Happening = NonNullable<MessageInitShape<typeof RunEventSchema>['event']>;

/** Recorded, in this order. */
function recorded(...happenings: readonly Happening[]): readonly RunEvent[] {
  return happenings.map((event, place) => at(BigInt(place + 1), event));
}

function at(sequence: bigint, event: Happening): RunEvent {
  return create(RunEventSchema, { runId: 'run', sequence, entryId: `entry ${sequence}`, event });
}

const spoken = (text: string) => at(0n, { case: 'textDelta', value: { text } });
const thought = (text: string) => at(0n, { case: 'reasoningDelta', value: { text } });
const started: Happening = { case: 'runStarted', value: { prompt: 'do it', model: 'm' } };
const said = (text: string, isPartial = false): Happening => ({
  case: 'modelMessage',
  value: { text, isPartial },
});
const proposed = (callId: string): Happening => ({
  case: 'toolProposed',
  value: { callId, tool: 'process.run', arguments: { command: 'ls' } },
});
const finished = (callId: string, output = 'ok'): Happening => ({
  case: 'toolFinished',
  value: { callId, outcome: ToolOutcome.SUCCEEDED, output },
});
const printed = (callId: string, text: string) =>
  at(0n, { case: 'toolOutput', value: { callId, data: new TextEncoder().encode(text) } });

const story = (events: readonly RunEvent[]) => tellAll(emptyStory('run'), events);
const kinds = ({ items }: RunStory) => items.map(({ kind }) => kind);
const texts = ({ items }: RunStory) =>
  items.flatMap((item) => (item.kind === 'text' ? [item.markdown] : []));

describe('what is said', () => {
  it('is heard word by word and then as a whole, once', () => {
    const begun = story([...recorded(started), spoken('hel'), spoken('lo')]);
    expect(begun.speech.open).toBe('hello');
    const whole = tellAll(begun, [at(2n, said('hello'))]);
    expect(texts(whole)).toEqual(['hello']);
    expect(whole.speech).toMatchObject({ message: 1, done: [], open: '' });
  });

  it('is whole for who joined in the middle', () => {
    expect(texts(tellAll(story([spoken('lo')]), [at(2n, said('hello'))]))).toEqual(['hello']);
  });

  it('is not told twice by a stream that was opened again', () => {
    const begun = story([...recorded(started), spoken('hel')]);
    const again = tellAll(tellAgain(begun), [spoken('hello')]);
    expect(again.speech.open).toBe('hello');
  });

  it('of a command takes the place of what was heard before, where it is told from the start', () => {
    const data = new TextEncoder().encode('two three');
    const again = at(0n, { case: 'toolOutput', value: { callId: 'a', data, leftOutBytes: 4n } });
    const { calls } = story([...recorded(proposed('a')), printed('a', 'one two '), again]);
    const { pieces = [], leftOutBytes } = calls.get('a')?.live ?? {};
    expect(pieces.map((piece) => new TextDecoder().decode(piece.bytes))).toEqual(['two three']);
    expect(leftOutBytes).toBe(4);
  });

  it('keeps its keys from the first word to the whole message', () => {
    const long = `${'a'.repeat(1_600)}\n\n${'b'.repeat(1_600)}\n\nend`;
    const live = story([spoken(long)]);
    const whole = tellAll(live, [at(1n, said(long))]);
    expect([...live.speech.done, live.speech.open]).toEqual(texts(whole));
    expect(whole.items.map(({ key }) => key)).toEqual(['text 0.0', 'text 0.1', 'text 0.2']);
  });

  it('says that it was cut off where it was', () => {
    const cut = story(recorded(started, said('half a', true), said('a whole answer')));
    expect(kinds(cut)).toEqual(['prompt', 'text', 'cut-off', 'text']);
  });

  it('says who said it where another model was asked', () => {
    const value = { text: 'here', usage: { model: 'anthropic:n' } };
    const { items } = story(recorded(started, { case: 'modelMessage', value }));
    expect(items.at(-1)).toMatchObject({
      kind: 'note',
      text: 'Said by anthropic:n, which was asked in place of the model of this run.',
    });
  });

  it('counts for nothing when the model is asked again, until it speaks', () => {
    const asked = story([
      ...recorded(started),
      spoken('half'),
      at(0n, { case: 'modelAskedAgain', value: { model: 'm', waitMs: 500n, reason: 'busy' } }),
    ]);
    expect(asked.speech.open).toBe('');
    expect(asked.delay).toEqual({ model: 'm', waitMs: 500, reason: 'busy' });
    expect(tellAll(asked, [spoken('now')]).delay).toBeUndefined();
  });

  it('tells of nothing said', () => {
    expect(kinds(story(recorded(started, said(''))))).toEqual(['prompt', 'note']);
  });

  it('keeps the end of what is thought, and no more', () => {
    const { speech } = story(Array.from({ length: 100 }, () => thought('x'.repeat(1_000))));
    expect(speech.thought.length).toBe(MAX_THOUGHT);
  });
});

describe('a run', () => {
  it('that waited is asked for once', () => {
    const events = recorded({ case: 'runQueued', value: { prompt: 'later' } }, started);
    expect(story(events.slice(0, 1)).phase).toBe('queued');
    expect(story(events).phase).toBe('active');
    expect(kinds(story(events))).toEqual(['prompt']);
  });

  it('that was interrupted goes on', () => {
    const events = recorded(
      started,
      said('one', true),
      { case: 'runInterrupted', value: { reason: 'the daemon ended' } },
      { case: 'runResumed', value: { turns: 1 } },
      said('two'),
      { case: 'runEnded', value: { status: RunStatus.COMPLETED, stopReason: StopReason.DONE } },
    );
    expect(story(events.slice(0, 3)).phase).toBe('interrupted');
    expect(story(events.slice(0, 4)).phase).toBe('active');
    const { items, phase } = story(events);
    expect(phase).toBe('over');
    expect(items.map(({ kind }) => kind)).toEqual([
      'prompt',
      'text',
      'cut-off',
      'interrupted',
      'note',
      'text',
      'ended',
    ]);
  });

  it('is told the same in one go and event by event, and twice over', () => {
    const events = recorded(started, said('a'), proposed('1'), finished('1'), said('b'));
    const one = events.reduce((before, event) => tellAll(before, [event]), emptyStory('run'));
    expect(one).toEqual(story(events));
    expect(story([...events, ...events])).toEqual(story(events));
  });

  it('leaves the story before as it was', () => {
    const before = story(recorded(started));
    tellAll(before, [at(2n, proposed('1'))]);
    expect(before.items).toHaveLength(1);
    expect(before.calls.size).toBe(0);
  });

  it('takes no harm from what it does not know', () => {
    const events = [
      create(RunEventSchema, { runId: 'run', sequence: 9n }),
      at(10n, { case: 'modelSpoken', value: { text: 'x' } }),
      at(11n, { case: 'toolDecided', value: { callId: 'of nobody' } }),
      at(12n, finished('of nobody')),
    ];
    expect(story(events)).toMatchObject({ items: [], lastSequence: 12n });
  });

  it('forgets its beginning when it is very long', () => {
    const many = Array.from({ length: MAX_ITEMS + 5 }, (_, n) =>
      at(BigInt(n + 1), proposed(`${n}`)),
    );
    const { items, calls, itemsLeftOut } = story(many);
    expect([items.length, calls.size, itemsLeftOut]).toEqual([MAX_ITEMS, MAX_ITEMS, 5]);
  });
});

describe('a call', () => {
  it('is told from proposal to attestation', () => {
    const voice = {
      principal: 'user:1',
      at: '2030-01-01T00:00:00Z',
      answer: ApprovalStatus.GRANTED,
    };
    const asked = { approvalId: 'a', callId: '1', deadline: 'then', gates: [{ ruleId: 'gate' }] };
    const { calls, items } = story(
      recorded(
        proposed('1'),
        { case: 'approvalChanged', value: { ...asked, status: ApprovalStatus.PENDING } },
        {
          case: 'approvalChanged',
          value: { approvalId: 'a', callId: '1', status: ApprovalStatus.GRANTED, voice },
        },
        {
          case: 'approvalChanged',
          value: { approvalId: 'a', callId: '1', status: ApprovalStatus.GRANTED },
        },
        { case: 'toolDecided', value: { callId: '1', kind: DecisionKind.ALLOW, ruleIds: ['r'] } },
        { case: 'toolStarted', value: { callId: '1', executor: Executor.GATEWAY } },
        { case: 'fileChanged', value: { callId: '1', path: 'a.txt', afterSha256: 'x' } },
        { case: 'sandboxConnected', value: { callId: '1', host: 'example.org', port: 443 } },
        finished('1', 'done'),
        { case: 'toolAttested', value: { callId: '1', sandboxEnforcement: 'held' } },
      ),
    );
    expect(items).toEqual([{ kind: 'call', key: 'call 1', callId: '1' }]);
    expect(calls.get('1')).toMatchObject({
      asked: { status: ApprovalStatus.GRANTED, deadline: 'then', gates: [{ ruleId: 'gate' }] },
      voices: [{ principal: 'user:1' }],
      decision: { ruleIds: ['r'] },
      executor: Executor.GATEWAY,
      changes: [{ path: 'a.txt' }],
      connections: [{ host: 'example.org' }],
      result: { output: 'done' },
      attestation: { sandboxEnforcement: 'held' },
    });
  });

  it('that is proposed again by a run that goes on is the same one, and still asked about', () => {
    const pending = { approvalId: 'a', callId: '1', status: ApprovalStatus.PENDING };
    const { calls, items } = story(
      recorded(
        proposed('1'),
        { case: 'approvalChanged', value: pending },
        { case: 'runInterrupted', value: {} },
        { case: 'runResumed', value: {} },
        proposed('1'),
      ),
    );
    expect(items.filter(({ kind }) => kind === 'call')).toHaveLength(1);
    expect(calls.get('1')?.asked).toMatchObject(pending);
  });

  it('beside another one keeps what is its own', () => {
    const begun = story([
      ...recorded(proposed('1'), proposed('2')),
      printed('2', 'two'),
      printed('1', 'one'),
    ]);
    const ended = tellAll(begun, [at(3n, finished('2', '2')), at(4n, finished('1', '1'))]);
    expect(begun.calls.get('1')?.live.pieces).toHaveLength(1);
    expect(ended.calls.get('1')?.result?.output).toBe('1');
    expect(ended.calls.get('2')?.result?.output).toBe('2');
    expect(ended.items.map(({ key }) => key)).toEqual(['call 1', 'call 2']);
  });

  it('shows what the model wrote where no arguments could be read', () => {
    const toolCalls = [{ callId: '1', tool: 'x', argumentsJson: '{"half' }];
    const { calls } = story(
      recorded(
        { case: 'modelMessage', value: { toolCalls } },
        { case: 'toolProposed', value: { callId: '1', tool: 'x' } },
      ),
    );
    expect(calls.get('1')?.written).toBe('{"half');
  });

  it('keeps no more of its output, arguments and notes than it says', () => {
    const live = story([...recorded(proposed('1')), printed('1', 'x'.repeat(MAX_LIVE_BYTES + 7))]);
    expect(live.calls.get('1')?.live.leftOutBytes).toBe(7);
    const value = {
      callId: '2',
      arguments: { content: 'a lot' },
      facts: { argumentBytes: 10_000_000 },
    };
    const big = story(
      recorded(
        { case: 'toolProposed', value },
        ...Array.from({ length: MAX_KEPT_NOTES + 3 }, (): Happening => ({
          case: 'fileChanged',
          value: { callId: '2', path: 'a' },
        })),
        finished('2', 'x'.repeat(MAX_KEPT_OUTPUT + 9)),
      ),
    );
    expect(big.calls.get('2')).toMatchObject({
      hasAllArguments: false,
      proposal: { arguments: {} },
      notesLeftOut: 3,
      outputLeftOut: 9,
    });
  });
});

it('files that an undo gives back are told after the end, together', () => {
  const restored = (path: string, callId = ''): Happening => ({
    case: 'fileChanged',
    value: { path, callId },
  });
  const { items } = story(
    recorded(proposed('1'), finished('1'), restored('a'), restored('b', '1'), said('x')),
  );
  expect(items[1]).toMatchObject({ kind: 'restored', paths: ['a', 'b'] });
});
