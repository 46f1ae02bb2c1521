import { Box, Text } from 'ink';
import { createElement as h } from 'react';
import { inline } from '../../render/words.ts';
import type { ChatState } from '../chat-state.ts';
import { phaseOf } from '../phase.ts';
import { sessionWords } from '../sessions.ts';
import type { Look } from './look.ts';

export interface StatusProps {
  readonly look: Look;
  readonly state: ChatState;
}

/** The last line: what is going on, and where. */
export function StatusView({ look, state }: StatusProps) {
  const { tone, text } = phaseOf(state);
  const session = state.session.sessionId === '' ? 'new session' : sessionWords(state.session);
  const place = [session, ...(state.model === '' ? [] : [inline(state.model)])].join(' · ');
  return h(
    Box,
    { columnGap: 2, justifyContent: 'space-between' },
    h(
      Box,
      { flexShrink: 0, maxWidth: look.columns },
      h(Text, { wrap: 'truncate' }, look.paint(tone, text)),
    ),
    h(Box, { flexShrink: 1 }, h(Text, { wrap: 'truncate' }, look.paint('quiet', place))),
  );
}
