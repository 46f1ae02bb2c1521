import { useState } from 'react';
import type { Session } from '@palyra/protocol';
import { Button, Dialog, Field, Input } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';

const LONGEST_TITLE = 200;

export interface RenameDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

export function RenameDialog({ session, onClose }: RenameDialogProps) {
  const { sessionId } = session;
  const [title, setTitle] = useState(session.title);
  const rename = useAct({
    act: () => gateway.sessions.renameSession({ sessionId, title: title.trim() }),
    changes: ['sessions'],
    after: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title="Rename the session">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <Field label="Title">
          {(id) => (
            <Input
              id={id}
              autoFocus
              required
              maxLength={LONGEST_TITLE}
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave it</Button>
          <Button
            type="submit"
            look="main"
            isBusy={rename.isPending}
            disabled={title.trim() === ''}
          >
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
