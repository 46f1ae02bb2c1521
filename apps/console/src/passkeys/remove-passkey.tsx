import { visibleText } from '@palyra/kernel';
import { Button, Dialog } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { confirmWithPasskey } from './ceremony.ts';
import type { ChangeProps } from './rename-passkey.tsx';

export function RemovePasskey({ passkey: { passkeyId, name }, onClose }: ChangeProps) {
  const removing = useAct({
    act: () => removePasskey(passkeyId),
    changes: ['passkeys'],
    says: () => 'The passkey was removed',
    after: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Remove this passkey?"
      says="It confirms nothing any more. One of your passkeys has to confirm that you mean it."
    >
      <p className="mb-4 font-medium wrap-anywhere">{visibleText(name, 'one-line')}</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={removing.isPending} onClick={() => removing.mutate()}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}

/** Whoever has lost them all removes them with the CLI on the gateway's own machine. */
async function removePasskey(passkey: string) {
  const assertion = await confirmWithPasskey({ case: 'removal', value: { passkey } });
  return await gateway.passkeys.removePasskey({ passkey, assertion });
}
