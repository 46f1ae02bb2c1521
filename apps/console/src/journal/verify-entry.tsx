import { ShieldCheck } from 'lucide-react';
import { Button } from '@palyra/ui';
import { useNewest } from '../app/live.ts';
import type { ProofCardProps } from './proof-card.tsx';
import { useVerification } from './use-verification.ts';
import { VerifyOutcome } from './verify-outcome.tsx';
import { VerifyProgress } from './verify-progress.tsx';

/**
 * Follows the chain from this entry to the signed head: only what was signed proves what came
 * before it.
 */
export function VerifyEntry({ record, entry }: ProofCardProps) {
  const { state, start, stop } = useVerification();
  const newest = useNewest();
  const begin = () => start({ from: entry.sequence, first: record.canonical });
  const expected = newest > entry.sequence ? Number(newest - entry.sequence) + 1 : undefined;
  return (
    <div className="flex flex-col gap-3">
      {state.at === 'running' ? (
        <VerifyProgress entries={state.entries} expected={expected} onStop={stop} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Button size="small" onClick={begin}>
            <ShieldCheck size={15} aria-hidden="true" />
            {state.at === 'idle' ? 'Verify this entry' : 'Verify again'}
          </Button>
          {state.at === 'idle' ? (
            <span className="text-xs text-soft">
              From its bytes to the signed head that covers it, in this page.
            </span>
          ) : null}
        </div>
      )}
      <VerifyOutcome state={state} what="entry" />
    </div>
  );
}
