import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type RunEvent, RunEventSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { CallLanes } from './call-lanes.ts';

type Happening = NonNullable<MessageInitShape<typeof RunEventSchema>['event']>;

function told(...happenings: readonly Happening[]) {
  const heard: string[] = [];
  const lanes = new CallLanes(({ event }: RunEvent) => {
    const callId = event.value !== undefined && 'callId' in event.value ? event.value.callId : '';
    heard.push(`${event.case}${callId}`);
  });
  for (const event of happenings) lanes.hear(create(RunEventSchema, { event }));
  const live = [...heard];
  lanes.close();
  return { live, heard };
}

const proposed = (callId: string) => ({ case: 'toolProposed', value: { callId } }) as const;
const finished = (callId: string) => ({ case: 'toolFinished', value: { callId } }) as const;
const attested = (callId: string) => ({ case: 'toolAttested', value: { callId } }) as const;
const output = (callId: string) =>
  ({ case: 'toolOutput', value: { callId, data: new Uint8Array([97]) } }) as const;
const speech = { case: 'textDelta', value: { text: 'hm' } } as const;

describe('calls that run side by side', () => {
  it('are told one after the other, the first one as it happens', () => {
    const { live } = told(
      proposed('A'),
      proposed('B'),
      output('B'),
      finished('B'),
      output('A'),
      attested('B'),
      finished('A'),
      attested('A'),
    );
    expect(live).toEqual([
      'toolProposedA',
      'toolOutputA',
      'toolFinishedA',
      'toolAttestedA',
      'toolProposedB',
      'toolFinishedB',
      'toolAttestedB',
    ]);
  });

  it('do not hold up what is no part of a call', () => {
    expect(told(proposed('A'), proposed('B'), speech).live).toEqual(['toolProposedA', 'textDelta']);
  });

  it('go on live when it is their turn', () => {
    const { live } = told(proposed('A'), proposed('B'), attested('A'), output('B'), finished('B'));
    expect(live.slice(2)).toEqual(['toolProposedB', 'toolOutputB', 'toolFinishedB']);
  });

  it('are told as far as they came when the stream ends', () => {
    const { heard } = told(proposed('A'), proposed('B'), proposed('C'), finished('C'));
    expect(heard).toEqual(['toolProposedA', 'toolProposedB', 'toolProposedC', 'toolFinishedC']);
  });
});
