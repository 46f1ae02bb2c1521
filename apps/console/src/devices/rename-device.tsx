import { useState } from 'react';
import type { Device } from '@palyra/protocol';
import { Button, Dialog, Field, Input } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';

export interface RenameDeviceProps {
  readonly device: Device;
  readonly onClose: () => void;
}

export function RenameDevice({ device, onClose }: RenameDeviceProps) {
  const [name, setName] = useState(device.name);
  const renaming = useAct({
    act: () => gateway.devices.renameDevice({ device: device.deviceId, name }),
    changes: ['devices'],
    after: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title="Rename a device">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate();
        }}
      >
        <Field label="Name">
          {(id) => (
            <Input
              id={id}
              value={name}
              autoFocus
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="main" isBusy={renaming.isPending} className="self-end">
          Rename
        </Button>
      </form>
    </Dialog>
  );
}
