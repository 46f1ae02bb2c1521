import type { Tone } from '../terminal.ts';
import type { CallState } from './call-state.ts';

/** What stands on the terminal for good. It only grows, and the terminal scrolls it. */
export interface Transcript {
  readonly items: readonly Item[];
  readonly nextId: number;
  /** Counts how often the printed items were let go. */
  readonly epoch: number;
}

export type Item = ItemBody & {
  readonly id: number;
  /** What parts it from the item before: speech that goes on keeps its mark on the empty line. */
  readonly gap: 'none' | 'line' | 'marked-line';
};

export type ItemBody =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'speech'; readonly markdown: string }
  | { readonly kind: 'call'; readonly call: CallState }
  | { readonly kind: 'question'; readonly lines: readonly string[] }
  | { readonly kind: 'page'; readonly lines: readonly string[] }
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: string; readonly help?: string };

export const NOTHING_TOLD: Transcript = { items: [], nextId: 1, epoch: 0 };

/** The terminal has them; here they would only pile up. */
const MOST_PRINTED = 200;

export function tell(transcript: Transcript, body: ItemBody): Transcript {
  const { items, nextId } = transcript;
  const gap = gapBetween(items.at(-1), body);
  return { ...transcript, items: [...items, { ...body, id: nextId, gap }], nextId: nextId + 1 };
}

/** Contract: lets go only when there is nothing that was not printed yet. */
export function letGo(transcript: Transcript, printedId: number): Transcript {
  const { items, epoch } = transcript;
  const last = items.at(-1);
  if (items.length < MOST_PRINTED || last?.id !== printedId) return transcript;
  return { ...transcript, items: [], epoch: epoch + 1 };
}

function gapBetween(before: Item | undefined, body: ItemBody): Item['gap'] {
  if (before?.kind === 'speech' && body.kind === 'speech') return 'marked-line';
  if (before?.kind === 'call' && body.kind === 'call') return 'none';
  if (before?.kind === 'note' && body.kind === 'note') return 'none';
  return 'line';
}
