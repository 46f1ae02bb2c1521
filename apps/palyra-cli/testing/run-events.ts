import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { type RunEvent, RunEventSchema } from '@palyra/protocol';

type Happening = Exclude<MessageInitShape<typeof RunEventSchema>, { $typeName: string }>['event'];

/** An event of run RUN, recorded unless it is text on its way. */
export function runEvent(event: Happening, sequence = 1n): RunEvent {
  return create(RunEventSchema, {
    runId: 'RUN',
    sequence,
    ...(event === undefined ? {} : { event }),
  });
}

export const STARTED = runEvent({ case: 'runStarted', value: { prompt: 'hi', model: 'script' } });

export function textDelta(text: string): RunEvent {
  return runEvent({ case: 'textDelta', value: { text } }, 0n);
}

export function modelMessage(text: string): RunEvent {
  return runEvent({ case: 'modelMessage', value: { text } });
}
