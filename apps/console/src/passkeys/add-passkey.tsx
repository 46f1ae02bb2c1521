import { useState } from 'react';
import { Button, type ButtonProps, Dialog } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { confirmWithPasskey, createCredential } from './ceremony.ts';
import { NameForm } from './name-form.tsx';

/** A button that leads to a new passkey. */
export function AddPasskey({ size = 'normal' }: Pick<ButtonProps, 'size'>) {
  const [isOpen, setIsOpen] = useState(false);
  const adding = useAct({
    act: addPasskey,
    changes: ['passkeys'],
    says: () => 'The passkey was added',
    after: () => setIsOpen(false),
  });
  return (
    <>
      <Button size={size} onClick={() => setIsOpen(true)}>
        Add a passkey
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Add a passkey"
        says="The browser asks where to keep it. If you have one already, it confirms the new one."
      >
        <NameForm name="" does="Add" isBusy={adding.isPending} onName={adding.mutate} />
      </Dialog>
    </>
  );
}

/** The first one stands on a session that was just opened, every other one on one that is there. */
async function addPasskey(name: string) {
  const { options, needsStepUp } = await gateway.passkeys.beginPasskey({});
  const addition = { name, credential: await createCredential(options) };
  const assertion = needsStepUp
    ? await confirmWithPasskey({ case: 'addition', value: addition })
    : '';
  return await gateway.passkeys.finishPasskey({ ...addition, assertion });
}
