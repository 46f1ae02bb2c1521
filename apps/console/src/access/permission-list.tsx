import { permissionWord } from '@palyra/kernel';
import type { Permission } from '@palyra/protocol';
import { Badge } from '@palyra/ui';
import { PERMISSION_WORDS } from './permission-words.ts';

/** In words, with the id that `palyra` and rules know it by on hover. */
export function PermissionList({ permissions }: { readonly permissions: readonly Permission[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {permissions.map((permission) => (
        <Badge key={permission} title={permissionWord(permission)} className="whitespace-normal!">
          {PERMISSION_WORDS[permission]}
        </Badge>
      ))}
    </span>
  );
}
