import { useState } from 'react';
import type { PolicyDifference, TestPolicyResponse } from '@palyra/protocol';
import { Button, Card } from '@palyra/ui';
import { gateway } from '../../wire/gateway.ts';
import { useAct } from '../../wire/use-act.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { Backtest } from './backtest.tsx';
import { ChangedLines } from './changed-lines.tsx';
import { Difference } from './difference.tsx';
import { ACTIVE, type Draft, candidateOf } from './draft.ts';
import { SideBySide } from './side-by-side.tsx';
import { TestResults } from './test-results.tsx';
import { useBacktest } from './use-backtest.ts';

/** Comparing two sets and testing them take longer than an answer usually may. */
const PATIENCE_MS = 120_000;

export interface TrialsProps {
  readonly draft: Draft;
  /** Against what is in force. */
  readonly diff: string;
  /** Changed, and checked without a problem. */
  readonly isFit: boolean;
  readonly mayApply: boolean;
}

/** What the draft would change, before it does. */
export function Trials({ draft, diff, isFit, mayApply }: TrialsProps) {
  const [difference, setDifference] = useState<PolicyDifference>();
  const [tests, setTests] = useState<TestPolicyResponse>();
  const [isApplying, setIsApplying] = useState(false);
  const candidate = candidateOf(draft);
  const options = { timeoutMs: PATIENCE_MS };
  const comparing = useAct({
    act: () => gateway.policy.comparePolicies({ old: ACTIVE, new: candidate }, options),
    changes: [],
    after: ({ difference: found }) => setDifference(found),
  });
  const testing = useAct({
    act: () => gateway.policy.testPolicy({ candidate }, options),
    changes: [],
    after: setTests,
  });
  const backtest = useBacktest(draft);
  const apply = () => {
    setIsApplying(true);
    backtest.run();
  };
  return (
    <Card
      title="Try it"
      aside={
        mayApply ? (
          <Button look="main" size="small" disabled={!isFit} onClick={apply}>
            Apply…
          </Button>
        ) : undefined
      }
    >
      <div className="flex flex-wrap gap-2">
        <Button isBusy={testing.isPending} onClick={() => testing.mutate()}>
          Run the tests
        </Button>
        <Button isBusy={comparing.isPending} onClick={() => comparing.mutate()}>
          Compare with what is in force
        </Button>
        <Button isBusy={backtest.isRunning} onClick={backtest.run}>
          Decide the past again
        </Button>
      </div>
      <div className="mt-4 flex flex-col gap-5" aria-live="polite">
        {tests === undefined ? null : <TestResults tests={tests} />}
        {difference === undefined ? null : (
          <SideBySide>
            <ChangedLines diff={diff} />
            <Difference difference={difference} />
          </SideBySide>
        )}
        {backtest.progress === undefined ? null : <Backtest progress={backtest.progress} />}
      </div>
      {isApplying ? (
        <ApplyDialog {...{ draft, diff, backtest }} onClose={() => setIsApplying(false)} />
      ) : null}
    </Card>
  );
}
