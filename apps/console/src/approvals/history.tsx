import { ApprovalStatus } from '@palyra/protocol';
import { Button, Select } from '@palyra/ui';
import type { History } from './use-history.ts';

const STATUSES: readonly (readonly [ApprovalStatus, string])[] = [
  [ApprovalStatus.UNSPECIFIED, 'All'],
  [ApprovalStatus.GRANTED, 'Granted'],
  [ApprovalStatus.DENIED, 'Denied'],
  [ApprovalStatus.EXPIRED, 'Expired'],
  [ApprovalStatus.CANCELLED, 'Cancelled'],
];

export function StatusFilter({ history }: { readonly history: History }) {
  return (
    <Select
      aria-label="Show which"
      className="h-8! w-32!"
      value={history.status}
      onChange={({ target }) => history.setStatus(statusOf(target.value))}
    >
      {STATUSES.map(([status, says]) => (
        <option key={status} value={status}>
          {says}
        </option>
      ))}
    </Select>
  );
}

function statusOf(value: string): ApprovalStatus {
  const found = STATUSES.find(([status]) => String(status) === value);
  return found?.[0] ?? ApprovalStatus.UNSPECIFIED;
}

export function MoreHistory({ history }: { readonly history: History }) {
  if (!history.hasMore) return null;
  return (
    <div className="border-t border-line p-2 text-center">
      {history.mayShowMore ? (
        <Button size="small" look="quiet" isBusy={history.isFetching} onClick={history.showMore}>
          Show more
        </Button>
      ) : (
        <p className="text-xs text-soft">What is older is in the journal.</p>
      )}
    </div>
  );
}
