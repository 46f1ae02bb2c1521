import { useState } from 'react';
import { Button, Dialog, Problem, Waiting } from '@palyra/ui';
import { confirmRequest } from '../../passkeys/confirm-request.ts';
import { gateway } from '../../wire/gateway.ts';
import { useAct } from '../../wire/use-act.ts';
import { useAsk } from '../../wire/use-ask.ts';
import { Backtest } from './backtest.tsx';
import { ChangedLines } from './changed-lines.tsx';
import { Difference } from './difference.tsx';
import { ACTIVE, type Draft, candidateOf } from './draft.ts';
import { SideBySide } from './side-by-side.tsx';
import type { BacktestTrial } from './use-backtest.ts';

const PATIENCE_MS = 120_000;

export interface ApplyDialogProps {
  readonly draft: Draft;
  readonly diff: string;
  readonly backtest: BacktestTrial;
  readonly onClose: () => void;
}

/** Shows what would change, and puts it in force only when gains were meant. */
export function ApplyDialog({ draft, diff, backtest, onClose }: ApplyDialogProps) {
  const [isMeant, setIsMeant] = useState(false);
  const compared = useAsk(['policy', 'compare', JSON.stringify(draft)], (signal) =>
    gateway.policy.comparePolicies(
      { old: ACTIVE, new: candidateOf(draft) },
      { signal, timeoutMs: PATIENCE_MS },
    ),
  );
  const applying = useApplying({ draft, isMeant, onClose });
  const difference = compared.data?.difference;
  const isWider = difference !== undefined && difference.gains.length > 0;
  return (
    <Dialog isOpen onClose={onClose} title="Put these rules in force?" width="widest">
      <SideBySide>
        <div className="flex flex-col gap-5">
          <ChangedLines diff={diff} />
          <Past backtest={backtest} />
        </div>
        <div className="flex flex-col gap-5">
          {compared.isError ? <Problem reason={compared.error} /> : null}
          {compared.isPending ? <Waiting lines={4} /> : null}
          {difference === undefined ? null : <Difference difference={difference} />}
        </div>
      </SideBySide>
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
          disabled={difference === undefined || backtest.isRunning || (isWider && !isMeant)}
          onClick={() => applying.mutate()}
        >
          Put in force
        </Button>
      </div>
    </Dialog>
  );
}

/** A long journal takes long: whoever cannot wait says so. */
function Past({
  backtest: { progress, isRunning, run, stop },
}: Pick<ApplyDialogProps, 'backtest'>) {
  return (
    <div className="flex flex-col items-start gap-2 text-sm [&>*]:max-w-full">
      {progress === undefined && !isRunning ? (
        <p className="text-soft">The past was not decided again with these rules.</p>
      ) : null}
      {progress === undefined ? null : <Backtest progress={progress} />}
      {isRunning ? (
        <Button size="small" onClick={stop}>
          Do without the past
        </Button>
      ) : null}
      {progress === undefined && !isRunning ? (
        <Button size="small" onClick={run}>
          Decide the past again
        </Button>
      ) : null}
    </div>
  );
}

interface Applying {
  readonly draft: Draft;
  readonly isMeant: boolean;
  readonly onClose: () => void;
}

function useApplying({ draft, isMeant, onClose }: Applying) {
  return useAct({
    act: async () => {
      const change = { candidate: candidateOf(draft), iMeanIt: isMeant };
      const assertion = await confirmRequest({ case: 'policy', value: change });
      const options = { timeoutMs: PATIENCE_MS };
      return await gateway.policy.applyPolicy({ ...change, assertion }, options);
    },
    changes: ['policy', 'health'],
    says: () => 'The rules are in force',
    after: onClose,
  });
}
