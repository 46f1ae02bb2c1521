import { useState } from 'react';
import { Button } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';

/** Tries every attack again, now. */
export function ProveAgain() {
  const [tried, setTried] = useState<string>();
  const proving = useAct({
    async act() {
      for await (const { step } of gateway.sandbox.proveSandbox({})) {
        if (step !== undefined) setTried(step.step);
      }
    },
    changes: ['sandbox'],
    says: () => 'Every attack was tried again',
  });
  return (
    <>
      {proving.isPending ? (
        <span role="status" className="self-center text-sm text-soft">
          {tried === undefined ? 'Trying…' : `Tried ${tried}`}
        </span>
      ) : null}
      <Button isBusy={proving.isPending} onClick={() => proving.mutate()}>
        Prove again
      </Button>
    </>
  );
}
