import { ChevronsUpDown, LogOut } from 'lucide-react';
import { Role } from '@palyra/protocol';
import { Menu } from '@palyra/ui';
import { leave } from '../session/leave.ts';
import { useAct } from '../wire/use-act.ts';
import { wordOf } from '../wire/words.ts';
import { useCaller } from './caller.ts';

/** Who is signed in, and the way out. */
export function SessionMenu() {
  const { name, principal, role } = useCaller();
  const leaving = useAct({ act: leave, changes: [], after: () => location.reload() });
  const items = [
    {
      label: 'End this session',
      icon: <LogOut size={15} aria-hidden="true" />,
      onChoose: () => leaving.mutate(),
    },
  ];
  return (
    <Menu items={items}>
      <button
        type="button"
        className="flex min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm hover:bg-raised"
      >
        <span className="min-w-0">
          <span title={principal} className="block truncate font-medium">
            {name || principal}
          </span>
          <span className="block text-xs text-soft">{wordOf(Role, role)}</span>
        </span>
        <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-soft" />
      </button>
    </Menu>
  );
}
