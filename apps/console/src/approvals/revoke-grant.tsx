import { Button, Dialog, Words } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';

export interface RevokeGrantProps {
  readonly grantId: string;
  readonly covers: string;
  readonly onClose: () => void;
}

export function RevokeGrant({ grantId, covers, onClose }: RevokeGrantProps) {
  const revoking = useAct({
    act: () => gateway.approvals.revokeGrant({ grantId }),
    changes: ['approvals'],
    says: () => 'The grant was revoked',
    after: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Revoke this grant?"
      says="The next such call is asked about again."
    >
      <p className="mb-4 text-sm wrap-anywhere">
        <Words text={covers} />
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={revoking.isPending} onClick={() => revoking.mutate()}>
          Revoke
        </Button>
      </div>
    </Dialog>
  );
}
