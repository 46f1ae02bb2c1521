import { Badge, Card, Facts, ShortId } from '@palyra/ui';
import { useCaller } from '../app/caller.ts';
import { roleWord } from '../wire/role-words.ts';
import { PermissionList } from './permission-list.tsx';

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
              {roleWord(role)}
            </Badge>,
          ],
          ['Known as', <ShortId key="principal" id={principal} />],
          ...(deviceId === '' ? [] : [['Device', <ShortId key="device" id={deviceId} />] as const]),
          ['May', <PermissionList key="may" permissions={permissions} />],
        ]}
      />
    </Card>
  );
}
