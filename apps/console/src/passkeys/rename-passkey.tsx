import type { Passkey } from '@palyra/protocol';
import { Dialog } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { NameForm } from './name-form.tsx';

export interface ChangeProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

export function RenamePasskey({ passkey: { passkeyId, name }, onClose }: ChangeProps) {
  const renaming = useAct({
    act: (to: string) => gateway.passkeys.renamePasskey({ passkey: passkeyId, name: to }),
    changes: ['passkeys'],
    after: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title="Rename the passkey">
      <NameForm name={name} does="Rename" isBusy={renaming.isPending} onName={renaming.mutate} />
    </Dialog>
  );
}
