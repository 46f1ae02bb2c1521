import { type ChatState, ON_DRAFT, type Step, step } from './chat-state.ts';
import { type Press, edited } from './press.ts';
import { type Picker, chosen, moveBy, narrow } from './session-picker.ts';

type CallsFocus = Extract<ChatState['focus'], { at: 'calls' }>;

const PAGE = 10;

/** A key while tool calls are looked at. */
export function pressOnCalls(state: ChatState, focus: CallsFocus, press: Press): Step {
  const turn = (change: Partial<CallsFocus>) => step({ ...state, focus: { ...focus, ...change } });
  switch (press.name) {
    case 'escape':
    case 'left':
      return focus.isOpen
        ? turn({ isOpen: false, scroll: 0 })
        : step({ ...state, focus: ON_DRAFT });
    case 'return':
      return turn({ isOpen: !focus.isOpen, scroll: 0 });
    case 'right':
      return turn({ isOpen: true });
    case 'up':
      return turn({ callId: neighbour(state, focus.callId, -1), scroll: 0 });
    case 'down':
    case 'tab':
      return turn({ callId: neighbour(state, focus.callId, 1), scroll: 0 });
    case 'pageUp':
      return turn({ scroll: Math.max(focus.scroll - PAGE, 0) });
    case 'pageDown':
      return turn({ scroll: focus.scroll + PAGE });
    case 'home':
    case 'end':
    case 'backspace':
    case 'delete':
      return step(state);
    case undefined:
  }
  if (press.text === ' ') return turn({ isOpen: !focus.isOpen, scroll: 0 });
  // Whoever types on means the prompt.
  return step({ ...state, focus: ON_DRAFT, draft: edited(state.draft, press) });
}

function neighbour({ calls }: ChatState, callId: string, places: number): string {
  const place = calls.findIndex((call) => call.callId === callId);
  const next = Math.min(Math.max(place + places, 0), calls.length - 1);
  return calls[next]?.callId ?? callId;
}

/** A key while a session is being chosen. */
export function pressOnPicker(state: ChatState, picker: Picker, press: Press): Step {
  const turn = (next: Picker) => step({ ...state, focus: { at: 'picker', picker: next } });
  switch (press.name) {
    case 'escape':
      return step({ ...state, focus: ON_DRAFT });
    case 'up':
      return turn(moveBy(picker, -1));
    case 'down':
    case 'tab':
      return turn(moveBy(picker, 1));
    case 'pageUp':
      return turn(moveBy(picker, -PAGE));
    case 'pageDown':
      return turn(moveBy(picker, PAGE));
    case 'return': {
      const session = chosen(picker);
      if (session === undefined) return step(state);
      return step({ ...state, focus: ON_DRAFT }, { kind: 'open-session', session });
    }
    case 'left':
    case 'right':
    case 'home':
    case 'end':
    case 'backspace':
    case 'delete':
    case undefined:
  }
  return turn(narrow(picker, edited(picker.filter, press)));
}
