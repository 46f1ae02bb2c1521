import { useEffect, useRef, useState } from 'react';
import { useToasts } from '@palyra/ui';
import type { BacktestProgress } from '@palyra/protocol';
import { gateway } from '../../wire/gateway.ts';
import { type Draft, candidateOf } from './draft.ts';

export interface BacktestTrial {
  /** Absent before it was begun, and when it was left. */
  readonly progress: BacktestProgress | undefined;
  readonly isRunning: boolean;
  /** Contract: nothing happens while it runs or when it has ended well. */
  readonly run: () => void;
  readonly stop: () => void;
}

/** Decides the calls of the journal again. Left with the page: nobody waits for it then. */
export function useBacktest(draft: Draft): BacktestTrial {
  const toasts = useToasts();
  const [progress, setProgress] = useState<BacktestProgress>();
  const [running, setRunning] = useState<AbortController>();
  const held = useRef<AbortController>(undefined);
  useEffect(() => () => held.current?.abort(), []);
  const begin = async (ending: AbortController) => {
    const candidate = candidateOf(draft);
    const { signal } = ending;
    try {
      for await (const step of gateway.policy.backtestPolicy({ candidate }, { signal })) {
        setProgress(step);
      }
    } catch (reason) {
      setProgress(undefined);
      if (!signal.aborted) toasts.tellProblem(reason);
    } finally {
      setRunning(undefined);
    }
  };
  return {
    progress,
    isRunning: running !== undefined,
    run() {
      if (running !== undefined || progress?.report !== undefined) return;
      const ending = new AbortController();
      held.current = ending;
      setRunning(ending);
      void begin(ending);
    },
    stop: () => running?.abort(),
  };
}
