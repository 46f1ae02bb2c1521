import { createContext, use } from 'react';

export const ReadAgainContext = createContext<(runId: string) => void>(() => undefined);

/** For what changes a run that has ended: its story goes on. */
export function useReadAgain(): (runId: string) => void {
  return use(ReadAgainContext);
}
