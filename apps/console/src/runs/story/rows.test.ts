import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { RunEventSchema, RunStatus } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { rowsOf } from './rows.ts';
import { emptyStory } from './run-story.ts';
import { tellAll } from './tell.ts';

type Happening = NonNullable<MessageInitShape<typeof RunEventSchema>['event']>;

const event = (sequence: bigint, happening: Happening) =>
  create(RunEventSchema, { runId: 'run', sequence, event: happening });
const started = event(1n, { case: 'runStarted', value: { prompt: 'do it' } });
const spoken = event(0n, { case: 'textDelta', value: { text: 'hello' } });
const thought = event(0n, { case: 'reasoningDelta', value: { text: 'hm' } });
const said = event(2n, { case: 'modelMessage', value: { text: 'hello' } });
const proposed = event(3n, { case: 'toolProposed', value: { callId: '1', tool: 'x' } });
const ended = event(4n, { case: 'runEnded', value: { status: RunStatus.COMPLETED } });

const kinds = (...events: readonly ReturnType<typeof event>[]) =>
  rowsOf(tellAll(emptyStory('run'), events)).map((row) =>
    row.kind === 'item' ? row.item.kind : row.kind,
  );

describe('the rows of a run', () => {
  it('say that it works while nothing else tells it', () => {
    expect(kinds(started)).toEqual(['prompt', 'working']);
    expect(kinds(started, spoken)).toEqual(['prompt', 'speaking']);
    expect(kinds(started, said, proposed)).toEqual(['prompt', 'text', 'call']);
    expect(kinds(started, said, proposed, ended)).toEqual([
      'prompt',
      'text',
      'call',
      'ended',
      'actions',
    ]);
  });

  it('have the same key while something is said and when it is said', () => {
    const live = rowsOf(tellAll(emptyStory('run'), [started, thought, spoken]));
    const whole = rowsOf(tellAll(emptyStory('run'), [started, thought, spoken, said]));
    expect(live.map(({ key }) => key)).toEqual(['run 1', 'run thought 0', 'run text 0.0']);
    expect(whole.slice(0, 3).map(({ key }) => key)).toEqual(live.map(({ key }) => key));
  });
});
