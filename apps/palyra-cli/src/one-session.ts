import { PalyraError } from '@palyra/kernel';
import { type Session, SessionSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { printSession } from './render/sessions.ts';
import { wireJson } from './wire-json.ts';

/** Shows the session that a call answered with. */
export function showSession(invocation: Invocation, answer: Session | undefined): Exit {
  const { terminal } = invocation.shell;
  const session = givenSession(answer);
  if (wantsJson(invocation))
    terminal.json('session', { session: wireJson(SessionSchema, session) });
  else printSession(terminal, session);
  return 'ok';
}

export function givenSession(session: Session | undefined): Session {
  if (session !== undefined) return session;
  throw new PalyraError('UNEXPECTED', 'the daemon answered without a session');
}
