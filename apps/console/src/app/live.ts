import { createContext, use, useSyncExternalStore } from 'react';
import type { Live, LiveState } from '../wire/live.ts';

export const LiveContext = createContext<Live | undefined>(undefined);

const NOTHING = () => () => undefined;

export function useLiveState(): LiveState {
  const live = use(LiveContext);
  return useSyncExternalStore(live?.subscribe ?? NOTHING, () => live?.state() ?? 'connecting');
}

/** The sequence of the newest entry that was heard of; 0 before the first. */
export function useNewest(): bigint {
  const live = use(LiveContext);
  return useSyncExternalStore(live?.subscribe ?? NOTHING, () => live?.newest() ?? 0n);
}
