import { useParams } from '@tanstack/react-router';
import { classes } from '@palyra/ui';
import { Conversation } from './conversation.tsx';
import { NEW_SESSION, NewConversation } from './empty-conversation.tsx';
import { SessionList } from './session-list.tsx';

/** Sessions on one side, one of them on the other; on a phone one after the other. */
export function ChatPage() {
  const { sessionId } = useParams({ strict: false });
  const isChosen = sessionId !== undefined;
  return (
    <div className="grid h-[calc(100dvh-3.5rem)] grid-cols-1 grid-rows-1 md:grid-cols-[17rem_1fr]">
      <div className={classes('min-h-0 min-w-0', isChosen && 'max-md:hidden')}>
        <SessionList chosen={sessionId} />
      </div>
      <div className={classes('min-h-0 min-w-0', !isChosen && 'max-md:hidden')}>
        {isChosen && sessionId !== NEW_SESSION ? (
          <Conversation key={sessionId} sessionId={sessionId} />
        ) : (
          <NewConversation />
        )}
      </div>
    </div>
  );
}
