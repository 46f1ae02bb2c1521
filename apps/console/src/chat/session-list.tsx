import { useRef, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { MessagesSquare, Plus } from 'lucide-react';
import type { Session } from '@palyra/protocol';
import { Button, Empty } from '@palyra/ui';
import { useListKeys } from '../runs/use-list-keys.ts';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useGrowingList } from '../wire/use-growing-list.ts';
import { NEW_SESSION } from './empty-conversation.tsx';
import { SessionLink } from './session-link.tsx';

const PAGE = 50;

export function SessionList({ chosen }: { readonly chosen: string | undefined }) {
  const [withArchived, setWithArchived] = useState(false);
  const { answer, showOlder, isLoading } = useGrowingList(['sessions', 'list', withArchived], {
    size: PAGE,
    idOf: ({ sessionId }: Session) => sessionId,
    page: async (beforeSessionId, signal) => {
      const wish = { limit: PAGE, withArchived, beforeSessionId };
      const options = signal === undefined ? {} : { signal };
      return (await gateway.sessions.listSessions(wish, options)).sessions;
    },
  });
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = useListKeys(box);
  return (
    <div className="flex h-full flex-col border-r border-line bg-card">
      <div className="flex items-center justify-between gap-2 px-4 pt-4 pb-2">
        <h1 className="text-lg font-semibold tracking-tight">Chat</h1>
        <Link
          to="/chat/$sessionId"
          params={{ sessionId: NEW_SESSION }}
          className="inline-flex h-8 items-center gap-1.5 rounded-lg bg-accent-fill px-2.5 text-sm font-medium text-accent-ink hover:brightness-110"
        >
          <Plus size={15} aria-hidden="true" />
          New
        </Link>
      </div>
      <div
        ref={box}
        role="group"
        aria-label="Sessions"
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-2"
      >
        <Answer of={answer} lines={8}>
          {({ things: found, hasMore }) => (
            <>
              {found.length === 0 ? <NoSessions /> : null}
              <Links sessions={found} chosen={chosen} />
              {hasMore ? (
                <Button
                  look="quiet"
                  size="small"
                  className="mt-1 w-full"
                  isBusy={isLoading}
                  onClick={showOlder}
                >
                  Show older
                </Button>
              ) : null}
            </>
          )}
        </Answer>
      </div>
      <ArchivedSwitch isOn={withArchived} onSwitch={setWithArchived} />
    </div>
  );
}

interface LinksProps {
  readonly sessions: readonly Session[];
  readonly chosen: string | undefined;
}

function Links({ sessions, chosen }: LinksProps) {
  return (
    <ul className="flex flex-col gap-0.5">
      {sessions.map((session) => (
        <li key={session.sessionId}>
          <SessionLink session={session} isChosen={session.sessionId === chosen} />
        </li>
      ))}
    </ul>
  );
}

interface ArchivedSwitchProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

function ArchivedSwitch({ isOn, onSwitch }: ArchivedSwitchProps) {
  return (
    <label className="flex items-center gap-2 border-t border-line px-4 py-2.5 text-sm text-soft">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onSwitch(target.checked)}
        className="size-4 accent-accent-fill"
      />
      Show archived
    </label>
  );
}

function NoSessions() {
  return (
    <Empty icon={<MessagesSquare size={20} />} title="No sessions yet">
      What you ask here, or with <code>palyra chat</code>, is kept as a session.
    </Empty>
  );
}
