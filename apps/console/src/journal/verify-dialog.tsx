import { useState } from 'react';
import { Dialog } from '@palyra/ui';
import { useNewest } from '../app/live.ts';
import { type VerifyScope, useVerification } from './use-verification.ts';
import { VerifyForm } from './verify-form.tsx';
import { VerifyOutcome } from './verify-outcome.tsx';
import { VerifyProgress } from './verify-progress.tsx';
import { expectedEntries } from './verify-wish.ts';

export interface VerifyDialogProps {
  readonly isOpen: boolean;
  /** The run that is being looked at. */
  readonly run: string | undefined;
  readonly onClose: () => void;
}

export function VerifyDialog({ isOpen, run, onClose }: VerifyDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Verify the journal"
      says="This page reads the raw bytes and checks every hash, every link and every signature itself."
    >
      <Verifying run={run} onClose={onClose} />
    </Dialog>
  );
}

function Verifying({ run, onClose }: Omit<VerifyDialogProps, 'isOpen'>) {
  const { state, start, stop } = useVerification();
  const [scope, setScope] = useState<VerifyScope>({});
  const newest = useNewest();
  const begin = (next: VerifyScope) => {
    setScope(next);
    start(next);
  };
  return (
    <div className="flex flex-col gap-4">
      {state.at === 'running' ? (
        <VerifyProgress
          entries={state.entries}
          expected={expectedEntries(scope, newest)}
          onStop={stop}
        />
      ) : (
        <VerifyForm run={run} onVerify={begin} />
      )}
      <VerifyOutcome state={state} what="entries" onLeave={onClose} />
    </div>
  );
}
