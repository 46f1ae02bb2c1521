import { useState } from 'react';
import { Archive, ArchiveRestore, Ellipsis, Pencil } from 'lucide-react';
import type { Session } from '@palyra/protocol';
import { Menu } from '@palyra/ui';
import { useMayAct } from '../runs/actions/may-act.ts';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { titleOf } from './session-title.ts';

/** What can be done with a session, by whom it belongs to. */
export function SessionMenu({ session }: { readonly session: Session }) {
  const { sessionId, archivedAt } = session;
  const { owns } = useMayAct(session.principal);
  const [isNaming, setIsNaming] = useState(false);
  const isArchived = archivedAt !== '';
  const archive = useAct({
    act: () => gateway.sessions.archiveSession({ sessionId, isArchived: !isArchived }),
    changes: ['sessions'],
    says: () =>
      isArchived ? 'It is back, and takes prompts again' : 'It is put away; nothing is forgotten',
  });
  if (!owns) return null;
  const items = [
    {
      label: 'Rename',
      icon: <Pencil size={15} aria-hidden="true" />,
      onChoose: () => setIsNaming(true),
    },
    {
      label: isArchived ? 'Restore' : 'Archive',
      icon: isArchived ? (
        <ArchiveRestore size={15} aria-hidden="true" />
      ) : (
        <Archive size={15} aria-hidden="true" />
      ),
      onChoose: () => archive.mutate(),
    },
  ];
  return (
    <>
      <Menu items={items}>
        <button
          type="button"
          aria-label={`More about ${titleOf(session)}`}
          className="mr-1 rounded-md p-1.5 text-soft hover:bg-card hover:text-ink"
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      </Menu>
      {isNaming ? <RenameDialog session={session} onClose={() => setIsNaming(false)} /> : null}
    </>
  );
}
