import { useQuery } from '@tanstack/react-query';
import { type ApprovalRecord, ApprovalStatus, Permission } from '@palyra/protocol';
import { useMay } from '../app/caller.ts';
import { gatewayLater } from '../wire/second.ts';

const MOST_SHOWN = 500;

/** Questions that wait for an answer, oldest first; none for who may not answer. */
export function usePending(): readonly ApprovalRecord[] {
  return useKnownPending() ?? [];
}

/** The same. Contract: `undefined` until it is known. */
export function useKnownPending(): readonly ApprovalRecord[] | undefined {
  return usePendingAnswer().data;
}

/** The same, with what is known of the asking. */
export function usePendingAnswer() {
  return useQuery({
    queryKey: ['approvals', 'pending'],
    enabled: useMay(Permission.APPROVALS_ANSWER),
    queryFn: async ({ signal }) =>
      (await gatewayLater()).approvals.listApprovals(
        { status: ApprovalStatus.PENDING, limit: MOST_SHOWN },
        { signal },
      ),
    select: oldestFirst,
  });
}

function oldestFirst({ approvals }: { readonly approvals: readonly ApprovalRecord[] }) {
  return approvals.toReversed();
}
