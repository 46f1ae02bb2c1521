import { type ChatState, type Step, step } from './chat-state.ts';
import { EMPTY, draftOf, eraseBack, goDown, goUp, insert } from './draft.ts';
import { newer, older, remember } from './history.ts';
import { obey } from './obey.ts';
import { inline } from '../render/words.ts';
import { type Press, edited } from './press.ts';
import { candidates, completed, slashOf } from './slash-commands.ts';
import { tell } from './transcript.ts';

/** A key while a prompt is being typed. */
export function pressOnDraft(state: ChatState, press: Press): Step {
  switch (press.name) {
    case 'return':
      return press.alt === true ? step(type(state, '\n')) : enter(state);
    case 'escape':
      return step({ ...state, draft: EMPTY });
    case 'tab':
      return step(tab(state));
    case 'up':
      return step(up(state));
    case 'down':
      return step(down(state));
    case 'right':
      return step(state.draft.text === '' ? lookAtCalls(state) : edit(state, press));
    case 'left':
    case 'home':
    case 'end':
    case 'pageUp':
    case 'pageDown':
    case 'backspace':
    case 'delete':
    case undefined:
  }
  if (press.ctrl === true && press.text === 'd' && state.draft.text === '') {
    return step(state, { kind: 'leave' });
  }
  return step(edit(state, press));
}

/** A paste never sends anything by itself, whatever is in it. */
export function type(state: ChatState, text: string): ChatState {
  return { ...state, draft: insert(state.draft, text) };
}

function edit(state: ChatState, press: Press): ChatState {
  return { ...state, draft: edited(state.draft, press) };
}

function enter(state: ChatState): Step {
  const { draft } = state;
  if (draft.text.slice(0, draft.cursor).endsWith('\\')) {
    return step({ ...state, draft: insert(eraseBack(draft), '\n') });
  }
  if (draft.text.trim() === '') return step(state);
  const slash = slashOf(draft.text);
  const emptied = { ...state, draft: EMPTY };
  switch (slash?.kind) {
    case undefined:
      return send(emptied, draft.text);
    case 'command':
      return obey(emptied, slash.name, slash.rest);
    case 'unknown': {
      const help =
        slash.meant === undefined ? '`/help` lists them' : `did you mean \`/${slash.meant}\`?`;
      const text = `there is no command \`/${inline(slash.word)}\``;
      return step({
        ...emptied,
        // The arrow brings it back, to be put right.
        history: remember(state.history, draft.text),
        transcript: tell(state.transcript, { kind: 'note', tone: 'warning', text, help }),
      });
    }
  }
}

function send(state: ChatState, prompt: string): Step {
  const ticket = state.nextTicket;
  const sent = {
    ...state,
    nextTicket: ticket + 1,
    queue: [...state.queue, { ticket, prompt, isTaken: false, isUnwanted: false }],
    history: remember(state.history, prompt),
  };
  return step(sent, { kind: 'send', ticket, prompt });
}

function tab(state: ChatState): ChatState {
  const { draft } = state;
  if (candidates(draft.text).length > 0) return { ...state, draft: draftOf(completed(draft.text)) };
  if (state.questions.length > 0) return { ...state, focus: { at: 'question' } };
  return draft.text === '' ? lookAtCalls(state) : state;
}

function lookAtCalls(state: ChatState): ChatState {
  const last = state.calls.at(-1);
  if (last === undefined) return state;
  return { ...state, focus: { at: 'calls', callId: last.callId, isOpen: false, scroll: 0 } };
}

function up(state: ChatState): ChatState {
  const above = goUp(state.draft);
  if (above !== undefined) return { ...state, draft: above };
  return { ...state, ...older(state.history, state.draft) };
}

function down(state: ChatState): ChatState {
  const below = goDown(state.draft);
  if (below !== undefined) return { ...state, draft: below };
  return { ...state, ...newer(state.history) };
}
