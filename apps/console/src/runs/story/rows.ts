import type { Run } from '@palyra/protocol';
import type { CallStory } from './call.ts';
import type { Delay, RunStory, StoryItem } from './run-story.ts';
import { isSilent } from './speech.ts';
import { pieceKey, thoughtKey } from './tell.ts';

/** One row of a list that shows one or more runs. Its key is unique in the whole list. */
export type Row = { readonly key: string; readonly runId: string } & RowBody;

type RowBody =
  | { readonly kind: 'item'; readonly item: Exclude<StoryItem, { readonly kind: 'call' }> }
  | { readonly kind: 'call'; readonly call: CallStory }
  | { readonly kind: 'speaking'; readonly markdown: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'delayed'; readonly delay: Delay }
  | { readonly kind: 'working' }
  | { readonly kind: 'left-out'; readonly count: number }
  /** It has ended; what can be done with it. */
  | { readonly kind: 'actions'; readonly story: RunStory }
  /** It waits for the run before it. */
  | { readonly kind: 'queued'; readonly run: Run };

export function rowsOf(story: RunStory): readonly Row[] {
  const { runId, itemsLeftOut } = story;
  const row = (key: string, body: RowBody): Row => ({ key: `${runId} ${key}`, runId, ...body });
  const rows: Row[] = [];
  if (itemsLeftOut > 0) rows.push(row('left out', { kind: 'left-out', count: itemsLeftOut }));
  for (const item of story.items) {
    const body = bodyOf(item, story);
    if (body !== undefined) rows.push(row(item.key, body));
  }
  for (const [key, body] of liveRows(story)) rows.push(row(key, body));
  if (story.phase === 'over' || story.phase === 'interrupted') {
    rows.push(row('actions', { kind: 'actions', story }));
  }
  return rows;
}

function bodyOf(item: StoryItem, { calls }: RunStory): RowBody | undefined {
  if (item.kind !== 'call') return { kind: 'item', item };
  const call = calls.get(item.callId);
  return call === undefined ? undefined : { kind: 'call', call };
}

type LiveRow = readonly [key: string, body: RowBody];

/** Their keys are those of the items that they become. */
function liveRows({ speech, delay, phase, calls }: RunStory): readonly LiveRow[] {
  const { message, done, open, thought } = speech;
  if (phase !== 'active') return [];
  if (delay !== undefined) return [['delayed', { kind: 'delayed', delay }]];
  const isCalling = Array.from(calls.values()).some(({ attestation }) => attestation === undefined);
  if (isSilent(speech)) return isCalling ? [] : [['working', { kind: 'working' }]];
  const spoken = open === '' ? done : [...done, open];
  return [
    ...(thought === ''
      ? []
      : [[thoughtKey(message), { kind: 'thinking', text: thought }] satisfies LiveRow]),
    ...spoken.map((markdown, place): LiveRow => [
      pieceKey(message, place),
      { kind: 'speaking', markdown },
    ]),
  ];
}
