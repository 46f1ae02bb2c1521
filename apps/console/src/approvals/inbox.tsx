import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { CheckCheck, Inbox as InboxIcon } from 'lucide-react';
import type { ApprovalRecord } from '@palyra/protocol';
import { Card, Empty, Problem, Waiting, classes } from '@palyra/ui';
import { ApprovalDetail } from './approval-detail.tsx';
import { ApprovalRow } from './approval-row.tsx';
import { MoreHistory, StatusFilter } from './history.tsx';
import { useHistory } from './use-history.ts';
import { useKeys } from '../app/use-keys.ts';
import { useKnownPending } from './use-pending.ts';

export interface InboxProps {
  readonly approvalId: string | undefined;
}

/** What waits, then what is over, and beside it the one that is open; on a phone one or the other. */
export function Inbox({ approvalId }: InboxProps) {
  const known = useKnownPending();
  const pending = known ?? [];
  const history = useHistory();
  useMoves({ pending, over: history.approvals, openId: approvalId });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div
        className={classes(
          'flex min-w-0 flex-col gap-4 lg:sticky lg:top-18 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto',
          approvalId !== undefined && 'max-lg:hidden',
        )}
      >
        <Card title="Waiting" padding="none" className="shrink-0 overflow-hidden">
          <Steady>
            <Rows approvals={pending} />
            {known === undefined ? <Waiting lines={2} /> : null}
            {known?.length === 0 ? (
              <Empty icon={<CheckCheck size={20} />} title="Nothing waits for you">
                Calls that need a person appear here.
              </Empty>
            ) : null}
          </Steady>
        </Card>
        <Card
          title="History"
          aside={<StatusFilter history={history} />}
          padding="none"
          className="shrink-0 overflow-hidden"
        >
          <Rows approvals={history.approvals} />
          {history.error === null ? null : <Problem reason={history.error} />}
          {history.isKnown ? null : <Waiting lines={4} />}
          {history.isKnown && history.approvals.length === 0 ? (
            <p className="px-4 py-6 text-center text-sm text-soft">None.</p>
          ) : null}
          <MoreHistory history={history} />
        </Card>
      </div>
      <div className={classes('min-w-0', approvalId === undefined && 'max-lg:hidden')}>
        {approvalId === undefined ? (
          <Card>
            <Empty icon={<InboxIcon size={20} />} title="Choose a question">
              It shows the exact call, what it would change and where it would run.
            </Empty>
          </Card>
        ) : (
          <ApprovalDetail key={approvalId} approvalId={approvalId} />
        )}
      </div>
    </div>
  );
}

/** As tall with no question as with many: what is below stays where it is while they come and go. */
function Steady({ children }: { readonly children: ReactNode }) {
  return <div className="flex h-[40dvh] min-h-60 flex-col overflow-y-auto">{children}</div>;
}

function Rows({ approvals }: { readonly approvals: readonly ApprovalRecord[] }) {
  if (approvals.length === 0) return null;
  return (
    <ul className="divide-y divide-line">
      {approvals.map((approval) => (
        <li key={approval.approvalId}>
          <ApprovalRow approval={approval} />
        </li>
      ))}
    </ul>
  );
}

interface InboxList {
  readonly pending: readonly ApprovalRecord[];
  readonly over: readonly ApprovalRecord[];
  readonly openId: string | undefined;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/**
 * `j` and `k`. While one is open they open the next: what stands beside the list is always the one that
 * is stood on, so that a key answers the question that is read.
 */
function useMoves(list: InboxList): void {
  const { openId } = list;
  const navigate = useNavigate();
  const answered = useAnswered(list);
  useKeys(({ key }) => {
    const step = STEPS[key];
    if (step === undefined) return;
    const next = answered(step) ?? neighbour(list, step);
    if (next === undefined) return;
    const { approvalId } = next;
    rowOf(approvalId)?.focus();
    if (openId === undefined) return;
    void navigate({ to: '/approvals/$approvalId', params: { approvalId }, replace: true });
  });
  useEffect(() => {
    if (openId === undefined || document.activeElement !== document.body) return;
    rowOf(openId)?.focus({ preventScroll: true });
    if (document.activeElement === document.body) document.getElementById('question')?.focus();
  }, [openId]);
}

function neighbour({ pending, over, openId }: InboxList, step: number) {
  const listed = [...pending, ...over];
  const stoodOn = openId ?? document.activeElement?.getAttribute('data-approval');
  const at = listed.findIndex(({ approvalId }) => approvalId === stoodOn);
  return at < 0 ? listed[0] : listed[at + step];
}

/**
 * The question that waits beside the place where the open one waited: its answer moved it to what is
 * over, and whoever answers one after the other does not mean what was over long before.
 */
function useAnswered({ pending, openId }: InboxList): (step: number) => ApprovalRecord | undefined {
  const waited = useRef({ openId, at: -1 });
  const at = pending.findIndex(({ approvalId }) => approvalId === openId);
  useEffect(() => {
    if (at >= 0 || waited.current.openId !== openId) waited.current = { openId, at };
  }, [at, openId]);
  return (step) => {
    const { at: place } = waited.current;
    if (at >= 0 || place < 0) return undefined;
    return step > 0 ? (pending[place] ?? pending.at(-1)) : pending[place - 1];
  };
}

function rowOf(approvalId: string): HTMLElement | null {
  return document.querySelector(`[data-approval="${CSS.escape(approvalId)}"]`);
}
