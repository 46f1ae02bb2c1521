import { type ChatState, NO_SESSION, type Step, step } from './chat-state.ts';
import { helpLines } from './help.ts';
import { cancelRun } from './run-events.ts';
import { withSession } from './sessions.ts';
import type { SlashName } from './slash-commands.ts';
import { type ItemBody, tell } from './transcript.ts';

/** Does what a slash command says. */
export function obey(state: ChatState, name: SlashName, rest: string): Step {
  const { sessionId } = state.session;
  switch (name) {
    case 'help':
      return say(state, { kind: 'page', lines: helpLines() });
    case 'new':
      return step(withSession(state, NO_SESSION, []), { kind: 'leave-session' });
    case 'sessions':
      return step(state, { kind: 'list-sessions' });
    case 'rename':
      if (rest === '') return wrong(state, 'a session needs a title', '`/rename fix the tests`');
      return inSession(state, { kind: 'rename', sessionId, title: rest });
    case 'archive':
      return inSession(state, { kind: 'archive', sessionId });
    case 'branch':
      return afterRun(state, { kind: 'branch', runId: state.lastRunId, title: rest });
    case 'resume':
      return afterRun(state, { kind: 'resume', runId: state.lastRunId });
    case 'undo':
      return afterRun(state, { kind: 'undo', runId: state.lastRunId });
    case 'cancel':
      if (state.run === undefined) return wrong(state, 'nothing runs', 'type a prompt');
      return cancelRun(state);
    case 'model':
      if (rest === '') return step(state, { kind: 'page', name: 'models' });
      return step(state, { kind: 'choose-model', name: rest });
    case 'runs':
    case 'approvals':
    case 'grants':
    case 'status':
      return step(state, { kind: 'page', name });
    case 'quit':
      return step(state, { kind: 'leave' });
  }
}

type Wished = Step['wishes'][number];

function inSession(state: ChatState, wish: Wished): Step {
  if (state.session.sessionId !== '') return step(state, wish);
  return wrong(state, 'this session has not begun', 'type a prompt');
}

function afterRun(state: ChatState, wish: Wished): Step {
  if (state.run !== undefined)
    return wrong(state, 'a run goes on', 'wait, or cancel it with Ctrl-C');
  if (state.lastRunId !== '') return step(state, wish);
  return wrong(state, 'nothing has run in this session', 'type a prompt');
}

function wrong(state: ChatState, text: string, help: string): Step {
  return say(state, { kind: 'note', tone: 'warning', text, help });
}

function say(state: ChatState, body: ItemBody): Step {
  return step({ ...state, transcript: tell(state.transcript, body) });
}
