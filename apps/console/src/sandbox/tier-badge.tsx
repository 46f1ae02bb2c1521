import type { TierState } from '@palyra/protocol';
import { Badge } from '@palyra/ui';
import { tierWord } from './tier-words.ts';

export function TierBadge({ state }: { readonly state: TierState }) {
  const { word, tone } = tierWord(state);
  return <Badge tone={tone}>{word}</Badge>;
}
