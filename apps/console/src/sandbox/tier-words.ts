import { TierState } from '@palyra/protocol';
import type { Tone } from '@palyra/ui';

interface TierWord {
  readonly word: string;
  readonly tone: Tone;
}

const UNKNOWN: TierWord = { word: 'unknown', tone: 'plain' };

const WORDS: ReadonlyMap<TierState, TierWord> = new Map<TierState, TierWord>([
  [TierState.PROVEN, { word: 'proven', tone: 'good' }],
  [TierState.REFUSED, { word: 'refused', tone: 'bad' }],
  [TierState.NOT_PROVEN, { word: 'not proven', tone: 'wait' }],
  [TierState.NOT_BUILT, { word: 'not built', tone: 'plain' }],
]);

export function tierWord(state: TierState): TierWord {
  return WORDS.get(state) ?? UNKNOWN;
}
