import { inline, inlineWithoutSecrets } from '../render/words.ts';
import { type ChatState, freshChat } from './chat-state.ts';
import { historyOf } from './history.ts';
import type { ShownSession } from './session-picker.ts';
import { tell } from './transcript.ts';

/** Another session: what was shown stays above it, what goes on in the old one is no longer heard. */
export function withSession(
  state: ChatState,
  session: ShownSession,
  prompts: readonly string[],
): ChatState {
  const text = session.sessionId === '' ? 'a new session' : `session ${sessionWords(session)}`;
  return {
    ...freshChat(state.model, state.now),
    session,
    transcript: tell(state.transcript, { kind: 'note', tone: 'accent', text }),
    nextTicket: state.nextTicket,
    history: historyOf(prompts),
    draft: state.draft,
  };
}

export function sessionWords({ title, sessionId }: ShownSession): string {
  return title === '' ? inline(sessionId) : inlineWithoutSecrets(title);
}
