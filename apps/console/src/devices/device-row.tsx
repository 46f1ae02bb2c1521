import { useState } from 'react';
import { MoreHorizontal } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import { type Device, DeviceKind, DeviceState, Role } from '@palyra/protocol';
import { Badge, Button, Cell, Menu, ShortId, When } from '@palyra/ui';
import { roleWord } from '../wire/role-words.ts';
import { wordOf } from '../wire/words.ts';
import { RenameDevice } from './rename-device.tsx';
import { RevokeDevice } from './revoke-device.tsx';
import { usePeople } from '../app/use-people.ts';

export interface DeviceRowProps {
  readonly device: Device;
}

export function DeviceRow({ device }: DeviceRowProps) {
  const nameOf = usePeople();
  const [doing, setDoing] = useState<'rename' | 'revoke'>();
  const isActive = device.state === DeviceState.ACTIVE;
  const name = visibleText(device.name, 'one-line');
  const close = () => setDoing(undefined);
  const items = [
    { label: 'Rename', onChoose: () => setDoing('rename') },
    { label: 'Revoke', tone: 'danger' as const, onChoose: () => setDoing('revoke') },
  ];
  return (
    <tr>
      <Cell>
        <span className="font-medium">{name}</span>
        {device.isLocal ? <span className="text-soft"> · this machine</span> : null}
        <span className="block">
          <ShortId id={device.deviceId} />
        </span>
      </Cell>
      <Cell>{wordOf(DeviceKind, device.kind)}</Cell>
      <Cell>
        {nameOf(`user:${device.userId}`)}
        <span className="block text-xs text-soft">at most {limitOf(device.roleLimit)}</span>
      </Cell>
      <Cell>
        <When at={device.pairedAt} />
      </Cell>
      <Cell>
        <When at={device.certificates.at(-1)?.notAfter ?? ''} never="none" />
      </Cell>
      <Cell>
        <Badge tone={isActive ? 'good' : 'bad'}>{wordOf(DeviceState, device.state)}</Badge>
      </Cell>
      <Cell>
        {isActive ? (
          <Menu items={items}>
            <Button look="quiet" size="small" aria-label={`What to do with ${name}`}>
              <MoreHorizontal size={16} aria-hidden="true" />
            </Button>
          </Menu>
        ) : null}
        {doing === 'rename' ? <RenameDevice device={device} onClose={close} /> : null}
        {doing === 'revoke' ? <RevokeDevice device={device} onClose={close} /> : null}
      </Cell>
    </tr>
  );
}

/** Nobody has said: then it is the least. */
function limitOf(role: Role): string {
  return roleWord(role === Role.UNSPECIFIED ? Role.OPERATOR : role);
}
