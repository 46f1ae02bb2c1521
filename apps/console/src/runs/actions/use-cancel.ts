import { gateway } from '../../wire/gateway.ts';
import { useAct } from '../../wire/use-act.ts';

/** The end of a run is on record when this answers, which may take as long as what it does. */
const PATIENCE_MS = 60_000;

export function useCancel(after?: () => void) {
  return useAct({
    act: (runId: string) => gateway.runs.cancelRun({ runId }, { timeoutMs: PATIENCE_MS }),
    changes: ['runs'],
    ...(after === undefined ? {} : { after }),
  });
}
