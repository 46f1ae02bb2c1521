import { useState } from 'react';
import { Smartphone } from 'lucide-react';
import { DeviceState, Permission } from '@palyra/protocol';
import { Button, Card, Empty, Page, Table } from '@palyra/ui';
import { useMay } from '../app/caller.ts';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { DeviceRow } from './device-row.tsx';
import { PairDialog } from './pair-dialog.tsx';
import { WaitingPairings } from './waiting-pairings.tsx';

const COLUMNS = ['Device', 'Kind', 'Acts for', 'Paired', 'Certificate ends', 'State', ''];

/** Who may reach the gateway, and a way to let another one in. */
export function DevicesPage() {
  const devices = useAsk(['devices'], (signal) => gateway.devices.listDevices({}, { signal }));
  const mayPair = useMay(Permission.DEVICES_MANAGE);
  const [isPairing, setIsPairing] = useState(false);
  return (
    <Page
      title="Devices"
      says="Each has a key of its own; what is revoked is out within a second"
      actions={
        mayPair ? (
          <Button look="main" onClick={() => setIsPairing(true)}>
            Pair a device
          </Button>
        ) : null
      }
    >
      <WaitingPairings />
      <Card title="Devices" padding="none">
        <Answer of={devices} lines={4}>
          {({ devices: all }) =>
            all.length === 0 ? (
              <Empty icon={<Smartphone size={20} />} title="No device is paired">
                Pair one with the button above.
              </Empty>
            ) : (
              <Table label="Devices" columns={COLUMNS}>
                {all
                  .toSorted((one, other) => rank(one.state) - rank(other.state))
                  .map((device) => (
                    <DeviceRow key={device.deviceId} device={device} />
                  ))}
              </Table>
            )
          }
        </Answer>
      </Card>
      <PairDialog isOpen={isPairing} onClose={() => setIsPairing(false)} />
    </Page>
  );
}

function rank(state: DeviceState): number {
  return state === DeviceState.ACTIVE ? 0 : 1;
}
