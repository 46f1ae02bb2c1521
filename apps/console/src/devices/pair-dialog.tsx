import { useState } from 'react';
import type { StartPairingResponse } from '@palyra/protocol';
import { Button, CodeBlock, Dialog, Field, Select, When } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { PairingAnswer } from './pairing-answer.tsx';
import { QrCode } from './qr-code.tsx';
import { usePairing } from './use-pairing.ts';
import { useMembers } from '../app/use-members.ts';

export interface PairDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a secret that works once, then who has used it, and asks whether to let them in. */
export function PairDialog({ isOpen, onClose }: PairDialogProps) {
  const [started, setStarted] = useState<StartPairingResponse>();
  const close = () => {
    setStarted(undefined);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Pair a device">
      {started === undefined ? (
        <Begin onStarted={setStarted} />
      ) : (
        <Going started={started} onClose={close} />
      )}
    </Dialog>
  );
}

interface BeginProps {
  readonly onStarted: (started: StartPairingResponse) => void;
}

function Begin({ onStarted }: BeginProps) {
  const members = useMembers();
  const [member, setMember] = useState('');
  const starting = useAct({
    act: () => gateway.pairing.startPairing({ member }),
    changes: ['devices'],
    after: onStarted,
  });
  return (
    <div className="flex flex-col gap-4">
      {members.length < 2 ? null : (
        <Field label="For whom" says="The device acts for this person, with at most your own role.">
          {(id) => (
            <Select id={id} value={member} onChange={({ target }) => setMember(target.value)}>
              <option value="">Me</option>
              {members.map(({ userId, name }) => (
                <option key={userId} value={userId}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <p className="text-sm text-soft">
        The gateway makes a secret that works once. Whoever uses it is shown to you before they are
        let in.
      </p>
      <Button
        look="main"
        className="self-end"
        isBusy={starting.isPending}
        onClick={() => starting.mutate()}
      >
        Show the code
      </Button>
    </div>
  );
}

interface GoingProps {
  readonly started: StartPairingResponse;
  readonly onClose: () => void;
}

function Going({ started, onClose }: GoingProps) {
  const pairing = usePairing(started.pairing);
  if (pairing?.proven !== undefined) {
    return <PairingAnswer pairing={pairing} onDone={onClose} />;
  }
  return (
    <div className="flex flex-col items-center gap-4">
      <QrCode text={started.link} />
      <p className="text-sm text-soft">Scan it, or run this on the other device:</p>
      <div className="w-full">
        <CodeBlock text={`palyra pair '${started.link}'`} label="command" />
      </div>
      <p className="text-sm">
        Or type the number{' '}
        <strong className="font-mono text-lg tracking-widest">{started.pin}</strong>
      </p>
      <p role="status" className="text-sm text-soft">
        Waiting for the device. The code ends <When at={pairing?.expiresAt ?? ''} />
      </p>
    </div>
  );
}
