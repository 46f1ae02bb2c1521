import { Dot, type Tone } from '@palyra/ui';
import type { LiveState } from '../wire/live.ts';
import { useLiveState } from './live.ts';

const SHOWN: Readonly<Record<LiveState, { readonly tone: Tone; readonly says: string }>> = {
  connecting: { tone: 'wait', says: 'Connecting' },
  live: { tone: 'good', says: 'Live' },
  waiting: { tone: 'bad', says: 'Reconnecting' },
  ended: { tone: 'plain', says: 'Not live' },
};

/** Whether what is shown is what is. */
export function LiveLight() {
  const { tone, says } = SHOWN[useLiveState()];
  return (
    <span role="status" className="flex items-center gap-2 text-xs text-soft">
      <Dot tone={tone} />
      {says}
    </span>
  );
}
