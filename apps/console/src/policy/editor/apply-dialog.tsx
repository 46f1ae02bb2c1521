import { useState } from 'react';
import { Button, Dialog, Problem, Waiting } from '@palyra/ui';
import { confirmRequest } from '../../passkeys/confirm-request.ts';
import { gateway } from '../../wire/gateway.ts';
import { useAct } from '../../wire/use-act.ts';
import { useAsk } from '../../wire/use-ask.ts';
import { Difference } from './difference.tsx';
import { ACTIVE, type Draft, candidateOf } from './draft.ts';

const PATIENCE_MS = 120_000;

export interface ApplyDialogProps {
  readonly draft: Draft;
  readonly onClose: () => void;
}

/** Shows what would change, and puts it in force only when gains were meant. */
export function ApplyDialog({ draft, onClose }: ApplyDialogProps) {
  const [isMeant, setIsMeant] = useState(false);
  const candidate = candidateOf(draft);
  const options = { timeoutMs: PATIENCE_MS };
  const compared = useAsk(['policy', 'compare', JSON.stringify(draft)], (signal) =>
    gateway.policy.comparePolicies({ old: ACTIVE, new: candidate }, { signal, ...options }),
  );
  const applying = useAct({
    act: async () => {
      const change = { candidate, iMeanIt: isMeant };
      const assertion = await confirmRequest({ case: 'policy', value: change });
      return await gateway.policy.applyPolicy({ ...change, assertion }, options);
    },
    changes: ['policy', 'health'],
    says: () => 'The rules are in force',
    after: onClose,
  });
  const difference = compared.data?.difference;
  const isWider = difference !== undefined && difference.gains.length > 0;
  return (
    <Dialog isOpen onClose={onClose} title="Put these rules in force?" width="wide">
      {compared.isError ? <Problem reason={compared.error} /> : null}
      {compared.isPending ? <Waiting lines={4} /> : null}
      {difference === undefined ? null : <Difference difference={difference} />}
      {isWider ? (
        <label className="mt-4 flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isMeant}
            onChange={({ target }) => setIsMeant(target.checked)}
          />
          These gains are meant
        </label>
      ) : null}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Not now</Button>
        <Button
          look="main"
          isBusy={applying.isPending}
          disabled={difference === undefined || (isWider && !isMeant)}
          onClick={() => applying.mutate()}
        >
          Put in force
        </Button>
      </div>
    </Dialog>
  );
}
