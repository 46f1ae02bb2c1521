import { permissionWord } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { Badge, Card, Facts, ShortId } from '@palyra/ui';
import { useCaller } from '../app/caller.ts';
import { wordOf } from '../wire/words.ts';

export function Me() {
  const { name, principal, role, permissions, deviceId } = useCaller();
  return (
    <Card title="You">
      <Facts
        facts={[
          ['Name', name || principal],
          [
            'Role',
            <Badge key="role" tone="accent">
              {wordOf(Role, role)}
            </Badge>,
          ],
          ['Known as', <ShortId key="principal" id={principal} />],
          ...(deviceId === '' ? [] : [['Device', <ShortId key="device" id={deviceId} />] as const]),
          [
            'May',
            <span key="may" className="flex flex-wrap gap-1">
              {permissions.map((permission) => (
                <Badge key={permission}>{permissionWord(permission)}</Badge>
              ))}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}
