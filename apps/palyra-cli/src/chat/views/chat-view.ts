import { Box, Static, Text, useInput, usePaste, useWindowSize } from 'ink';
import { createElement as h, useEffect, useSyncExternalStore } from 'react';
import { visibleText } from '@palyra/kernel';
import { cut } from '../../render/text-width.ts';
import { inline } from '../../render/words.ts';
import type { ChatEvent, ChatState } from '../chat-state.ts';
import { liveCalls } from '../phase.ts';
import type { Press } from '../press.ts';
import { candidates } from '../slash-commands.ts';
import { openText } from '../speech.ts';
import type { Item } from '../transcript.ts';
import { CallsView, LiveCall } from './call-view.ts';
import { InputView, inputRows } from './input-view.ts';
import { ItemView } from './item-view.ts';
import { pressesOf } from './keys.ts';
import type { Look } from './look.ts';
import { Markdown } from './markdown-view.ts';
import { Marked } from './marked.ts';
import { PickerView } from './picker-view.ts';
import { QuestionView } from './question-view.ts';
import { StatusView } from './status-view.ts';

/** What is drawn, and who hears the keys. */
export interface Stage {
  readonly state: () => ChatState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly onPress: (press: Press) => void;
  readonly dispatch: (event: ChatEvent) => void;
}

export interface ChatProps {
  readonly stage: Stage;
  readonly look: Omit<Look, 'columns' | 'rows'>;
}

/** Hears the keys, and draws the chat as it stands on a terminal of this size. */
export function ChatView({ stage, look: plain }: ChatProps) {
  const state = useSyncExternalStore(stage.subscribe, stage.state);
  const look = { ...plain, ...useWindowSize() };
  useInput((text, key) => pressesOf(text, key).forEach((press) => stage.onPress(press)));
  usePaste((text) => stage.dispatch({ kind: 'pasted', text }));
  const lastId = state.transcript.items.at(-1)?.id ?? 0;
  useEffect(() => stage.dispatch({ kind: 'printed', itemId: lastId }), [stage, lastId]);
  return h(ChatScreen, { look, state });
}

/** The whole screen: what is finished above, what goes on below it, then the line to type on. */
export function ChatScreen({ look, state }: LiveProps) {
  const { items, epoch } = state.transcript;
  return h(
    Box,
    // As wide as the terminal is by then: while it is resized what is known here is a moment old.
    { flexDirection: 'column', width: '100%' },
    h(Static<Item>, {
      key: epoch,
      items: [...items],
      children: (item) => h(ItemView, { key: item.id, look, item }),
    }),
    h(Live, { look, state }),
    h(Box, { marginTop: 1 }, h(Line, { look })),
    h(InputView, { look, state }),
    h(Line, { look }),
    h(StatusView, { look, state }),
  );
}

interface LiveProps {
  readonly look: Look;
  readonly state: ChatState;
}

/** The lines around the draft, what is going on, and the row that stays free. */
const FURNITURE = 6;
const MIN_ROOM = 3;
const QUESTION_ROWS = 9;

/**
 * INVARIANT: lower than the screen; a terminal cannot take back what has scrolled away. Where there is
 * no room for all of it, the end is shown: there the keys stand.
 */
function Live({ look, state }: LiveProps) {
  const { draft, suggested } = inputRows(look);
  const isSuggesting = state.focus.at === 'draft' && candidates(state.draft.text).length > 0;
  const taken = FURNITURE + draft + (isSuggesting ? suggested + 1 : 0);
  const maxHeight = Math.max(look.rows - taken, 1);
  return h(
    Box,
    { maxHeight, overflowY: 'hidden', flexDirection: 'column', justifyContent: 'flex-end' },
    h(Box, { flexShrink: 0, flexDirection: 'column' }, h(Scene, { look, state, maxHeight })),
  );
}

function Scene({ look, state, maxHeight }: LiveProps & { readonly maxHeight: number }) {
  const { focus, questions } = state;
  const [front] = questions;
  const room = Math.max(maxHeight - (front === undefined ? 0 : QUESTION_ROWS), MIN_ROOM);
  if (focus.at === 'picker') {
    return h(Part, null, h(PickerView, { look, picker: focus.picker, room }));
  }
  if (focus.at === 'calls') {
    return h(Part, null, h(CallsView, { look, calls: state.calls, focus, room }));
  }
  return h(
    Box,
    { flexDirection: 'column' },
    h(Speaking, { look, state, room }),
    h(Working, { look, state, room }),
    h(Queue, { look, state }),
    front === undefined
      ? null
      : h(
          Part,
          null,
          h(QuestionView, {
            look,
            question: front,
            hasFocus: focus.at === 'question',
            now: state.now,
          }),
        ),
  );
}

function Part({ children }: { readonly children?: ReturnType<typeof h> }) {
  return h(Box, { marginTop: 1, flexDirection: 'column' }, children);
}

const THOUGHT_LINES = 3;

function Speaking({ look, state, room }: LiveProps & { readonly room: number }) {
  const text = openText(state.speech);
  if (text.trim() !== '') {
    const isFirst = state.transcript.items.at(-1)?.kind !== 'speech';
    const shown = h(Markdown, { look, text: tailOf(text, look, room) });
    const marked = h(Marked, { look, mark: 'foreign' }, isFirst ? null : h(Text, null, ' '), shown);
    return h(
      Box,
      {
        marginTop: isFirst ? 1 : 0,
        maxHeight: room,
        overflowY: 'hidden',
        flexDirection: 'column',
        justifyContent: 'flex-end',
      },
      marked,
    );
  }
  const thought = state.speech.thought.trimEnd().split('\n').slice(-THOUGHT_LINES);
  if (thought.join('') === '') return null;
  const lines = thought.map((line, key) =>
    h(
      Text,
      { key, wrap: 'truncate-start' },
      look.paint('quiet', visibleText(line, 'one-line') || ' '),
    ),
  );
  return h(Part, null, h(Marked, { look, mark: 'foreign' }, ...lines));
}

/** A block that is longer than the screen is drawn from where its end begins to show. */
function tailOf(text: string, look: Look, room: number): string {
  const lines = text.split('\n');
  return lines.length <= room ? text.slice(-room * look.columns) : lines.slice(-room).join('\n');
}

const WORKING = 4;

function Working({ look, state, room }: LiveProps & { readonly room: number }) {
  const calls = liveCalls(state);
  if (calls.length === 0) return null;
  const shown = calls.slice(0, Math.max(Math.min(WORKING, Math.floor(room / 5)), 1));
  const views = shown.map((call) => h(LiveCall, { key: call.callId, look, call }));
  const more = calls.length - shown.length;
  const rest =
    more > 0 ? h(Text, { key: 'more' }, look.paint('quiet', `  and ${more} more`)) : null;
  return h(Box, { marginTop: 1, flexDirection: 'column' }, ...views, rest);
}

const SHOWN_QUEUE = 3;

function Queue({ look, state }: LiveProps) {
  const { queue, run } = state;
  if (queue.length === 0) return null;
  const lines = queue.slice(0, SHOWN_QUEUE).map(({ ticket, prompt, isTaken }) => {
    const word = isTaken || run !== undefined ? 'queued ' : 'sending';
    const text = cut(inline(prompt), Math.max(look.columns - 12, 10));
    return h(Text, { key: ticket, wrap: 'truncate' }, look.paint('quiet', `  ${word}  ${text}`));
  });
  const more = queue.length - lines.length;
  const rest =
    more > 0 ? h(Text, { key: 'more' }, look.paint('quiet', `  and ${more} more`)) : null;
  return h(Box, { marginTop: 1, flexDirection: 'column' }, ...lines, rest);
}

function Line({ look }: { readonly look: Look }) {
  return h(Text, { wrap: 'truncate' }, look.paint('quiet', '─'.repeat(look.columns)));
}
