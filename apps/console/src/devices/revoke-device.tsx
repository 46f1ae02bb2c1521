import { useState } from 'react';
import { visibleText } from '@palyra/kernel';
import type { Device } from '@palyra/protocol';
import { Confirm } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';

export interface RevokeDeviceProps {
  readonly device: Device;
  readonly onClose: () => void;
}

export function RevokeDevice({ device, onClose }: RevokeDeviceProps) {
  const [withMade, setWithMade] = useState(false);
  const name = visibleText(device.name, 'one-line');
  const revoking = useAct({
    act: () => gateway.devices.revokeDevice({ device: device.deviceId, withMade }),
    changes: ['devices', 'access'],
    says: ({ madeDevices, madeTokens }) =>
      `${name} is out${madeDevices.length + madeTokens.length === 0 ? '' : `, with ${madeDevices.length} devices and ${madeTokens.length} tokens made through it`}`,
    after: onClose,
  });
  return (
    <Confirm
      isOpen
      title={`Revoke ${name}?`}
      action="Revoke"
      isBusy={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <p>
        Its connections end within a second, consoles that it opened too. It can be paired anew.
      </p>
      <label className="mt-3 flex items-center gap-2">
        <input
          type="checkbox"
          checked={withMade}
          onChange={({ target }) => setWithMade(target.checked)}
        />
        Also what was let in or made through it
      </label>
    </Confirm>
  );
}
