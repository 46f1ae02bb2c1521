import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApprovalStatus } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';

const STEP = 50;
/** As many as the gateway gives at once. */
const MOST = 500;

/** Questions that are over, newest first. */
export function useHistory() {
  const [status, setStatus] = useState<ApprovalStatus>(ApprovalStatus.UNSPECIFIED);
  const [limit, setLimit] = useState(STEP);
  const { data, isFetching, error } = useQuery({
    queryKey: ['approvals', 'history', status, limit],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => gateway.approvals.listApprovals({ status, limit }, { signal }),
  });
  const listed = data?.approvals ?? [];
  return {
    status,
    setStatus,
    isFetching,
    error,
    isKnown: data !== undefined,
    approvals: listed.filter((each) => each.status !== ApprovalStatus.PENDING),
    hasMore: listed.length >= limit,
    mayShowMore: limit < MOST,
    showMore: () => setLimit(Math.min(limit + 2 * STEP, MOST)),
  };
}

export type History = ReturnType<typeof useHistory>;
