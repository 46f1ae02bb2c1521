import { Box, Text } from 'ink';
import { createElement as h } from 'react';
import { visibleText } from '@palyra/kernel';
import { type CallState, outputLines } from '../call-state.ts';
import { MARK_TONES, headOf, printCallDetails } from '../call-words.ts';
import type { ChatState } from '../chat-state.ts';
import { pageOf } from '../page.ts';
import { Lines } from './lines.ts';
import type { Look } from './look.ts';
import { Marked } from './marked.ts';

const MARKS = { done: '✓', failed: '✗', asked: '?', open: '…' } as const;
/** Narrower than this, how a call stands goes on a line of its own. */
const WIDE = 70;

export interface CallProps {
  readonly look: Look;
  readonly call: CallState;
}

/** A call, folded: one line, and why where it did not work out. */
export function CallHeadView({ look, call }: CallProps) {
  const { mark, tool, what, standing, why } = headOf(call);
  const { paint, columns } = look;
  const name = `${paint(MARK_TONES[mark], MARKS[mark])} ${paint('strong', tool)}`;
  const more = why === '' ? null : h(Aside, { look, text: why });
  if (columns < WIDE) {
    return h(
      Box,
      { flexDirection: 'column' },
      h(Text, { wrap: 'truncate' }, `${name} ${what}`),
      h(Aside, { look, text: standing }),
      more,
    );
  }
  return h(
    Box,
    { flexDirection: 'column' },
    h(
      Box,
      { columnGap: 2, justifyContent: 'space-between' },
      h(Box, { flexShrink: 1 }, h(Text, { wrap: 'truncate' }, `${name}  ${what}`)),
      h(Box, { flexShrink: 0 }, h(Text, null, paint('quiet', standing))),
    ),
    more,
  );
}

function Aside({ look, text }: { readonly look: Look; readonly text: string }) {
  return h(Box, { paddingLeft: 2 }, h(Text, null, look.paint('quiet', text)));
}

const LIVE_LINES = 4;

/** A call that is not over, with the end of what it writes. */
export function LiveCall({ look, call }: CallProps) {
  const lines = outputLines(call, LIVE_LINES).map((line) => visibleText(line, 'one-line'));
  const output = lines.map((line, key) =>
    h(Text, { key, wrap: 'truncate' }, look.paint('quiet', line === '' ? ' ' : line)),
  );
  return h(
    Box,
    { flexDirection: 'column' },
    h(CallHeadView, { look, call }),
    output.length === 0
      ? null
      : h(Box, { paddingLeft: 2 }, h(Marked, { look, mark: 'foreign' }, ...output)),
  );
}

type CallsFocus = Extract<ChatState['focus'], { at: 'calls' }>;

export interface CallsProps {
  readonly look: Look;
  readonly calls: readonly CallState[];
  readonly focus: CallsFocus;
  readonly room: number;
}

const LISTED = 6;

/** Calls to look at: one is selected, and folds open where it stands. */
export function CallsView({ look, calls, focus, room }: CallsProps) {
  const place = calls.findIndex(({ callId }) => callId === focus.callId);
  const first = Math.max(Math.min(place - LISTED + 2, calls.length - LISTED), 0);
  const listed = focus.isOpen ? calls.slice(place, place + 1) : calls.slice(first, first + LISTED);
  const rows = listed.map((call) => {
    const isSelected = call.callId === focus.callId;
    const arrow = isSelected ? look.paint('accent', focus.isOpen ? '▾' : '▸') : ' ';
    const inner = { ...look, columns: look.columns - 2 };
    return h(
      Box,
      { key: call.callId },
      h(Box, { width: 2, flexShrink: 0 }, h(Text, null, arrow)),
      h(
        Box,
        { flexDirection: 'column', width: inner.columns },
        h(CallHeadView, { look: inner, call }),
        isSelected && focus.isOpen
          ? h(Details, { look: inner, call, scroll: focus.scroll, room })
          : null,
      ),
    );
  });
  const hint = `${place + 1} of ${calls.length} · ↑ ↓ select · Enter folds · PgUp PgDn scroll · Esc back`;
  return h(
    Box,
    { flexDirection: 'column' },
    ...rows,
    h(Text, { wrap: 'truncate' }, look.paint('quiet', `  ${hint}`)),
  );
}

interface DetailsProps extends CallProps {
  readonly scroll: number;
  readonly room: number;
}

function Details({ look, call, scroll, room }: DetailsProps) {
  const parts = { environment: look.environment, columns: look.columns - 2 };
  const lines = pageOf(parts, (terminal) => printCallDetails(terminal, call));
  const start = Math.min(scroll, Math.max(lines.length - room, 0));
  return h(
    Marked,
    { look, mark: 'foreign' },
    h(Lines, { lines: lines.slice(start, start + room) }),
  );
}
