import { Box, Text } from 'ink';
import { createElement as h } from 'react';
import { visibleText } from '@palyra/kernel';
import type { ChatState } from '../chat-state.ts';
import { cut } from '../../render/text-width.ts';
import type { Draft } from '../draft.ts';
import { candidates } from '../slash-commands.ts';
import { type Look, cursorOn } from './look.ts';

/** Of a long draft so much around the cursor is shown: it must never fill the screen. */
const SHOWN_BEFORE = 480;
const SHOWN_LINES = 6;
const SUGGESTED = 6;

/** Rows that the draft takes at most, and what could be meant by it below. */
export function inputRows({ rows }: Look): { readonly draft: number; readonly suggested: number } {
  return {
    draft: Math.max(Math.min(SHOWN_LINES, Math.floor(rows / 4)), 1),
    suggested: Math.max(Math.min(SUGGESTED, Math.floor(rows / 4)), 1),
  };
}

export interface InputProps {
  readonly look: Look;
  readonly state: ChatState;
}

export function InputView({ look, state }: InputProps) {
  const { draft, focus } = state;
  const hasFocus = focus.at === 'draft';
  const mark = look.paint(hasFocus ? 'accent' : 'quiet', '›');
  return h(
    Box,
    { flexDirection: 'column' },
    h(
      Box,
      null,
      h(Box, { width: 2, flexShrink: 0 }, h(Text, null, mark)),
      h(
        Box,
        {
          flexShrink: 1,
          maxHeight: inputRows(look).draft,
          overflowY: 'hidden',
          flexDirection: 'column',
          justifyContent: 'flex-end',
        },
        h(Text, { wrap: 'hard' }, draftText(look, draft, hasFocus ? 'typed' : 'left')),
      ),
    ),
    hasFocus ? h(Suggestions, { look, text: draft.text }) : null,
  );
}

function draftText(look: Look, { text, cursor }: Draft, standing: 'typed' | 'left'): string {
  if (standing === 'left') return look.paint('quiet', near(text, cursor, look).join(''));
  if (text === '') return `${cursorOn(' ')}${look.paint('quiet', 'ask for something, or /help')}`;
  const [before, after] = near(text, cursor, look);
  const [at = ''] = after;
  const under = at === '' || at === '\n' ? ' ' : at;
  const rest = at === '\n' ? after : after.slice(at.length);
  return `${before}${cursorOn(under)}${rest}`;
}

function near(text: string, cursor: number, look: Look): readonly [string, string] {
  const before = text.slice(Math.max(cursor - SHOWN_BEFORE, 0), cursor).split('\n');
  const after = text.slice(cursor).split('\n');
  // Each takes one row, and the one of the cursor one more: less than what is shown in all.
  const shown = after.slice(0, Math.max(inputRows(look).draft - 2, 1));
  const room = Math.max(look.columns - 4, 1);
  return [
    visibleText(before.slice(-SHOWN_LINES).join('\n')),
    shown.map((line) => cut(visibleText(line, 'one-line'), room)).join('\n'),
  ];
}

function Suggestions({ look, text }: { readonly look: Look; readonly text: string }) {
  const found = candidates(text);
  if (found.length === 0) return null;
  const rows = found
    .slice(0, inputRows(look).suggested)
    .map(({ name, argument = '', summary }) =>
      h(
        Text,
        { key: name, wrap: 'truncate' },
        `${`/${name} ${argument}`.padEnd(18)}${look.paint('quiet', summary)}`,
      ),
    );
  const more = found.length - rows.length;
  const rest =
    more > 0 ? h(Text, { key: '…' }, look.paint('quiet', `${more} more; Tab completes`)) : null;
  return h(Box, { flexDirection: 'column', paddingLeft: 2 }, ...rows, rest);
}
