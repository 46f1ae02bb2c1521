import { Box, Text } from 'ink';
import { createElement as h } from 'react';
import { inline, inlineWithoutSecrets, shortTime } from '../../render/words.ts';
import { type Picker, found } from '../session-picker.ts';
import { type Look, cursorOn } from './look.ts';

const LISTED = 10;
/** Narrower than this there is no room for when it was changed. */
const WIDE = 40;

export interface PickerProps {
  readonly look: Look;
  readonly picker: Picker;
  readonly room: number;
}

export function PickerView({ look, picker, room }: PickerProps) {
  const { paint } = look;
  const sessions = found(picker);
  const listed = Math.max(Math.min(LISTED, room - 2), 1);
  const context = Math.min(3, listed);
  const start = picker.selected - listed + context;
  const first = Math.max(Math.min(start, sessions.length - listed), 0);
  const rows = sessions.slice(first, first + listed).map((session, place) => {
    const isSelected = first + place === picker.selected;
    const title = session.title === '' ? 'untitled' : inlineWithoutSecrets(session.title);
    return h(
      Box,
      { key: session.sessionId, columnGap: 2, justifyContent: 'space-between' },
      h(
        Box,
        { flexShrink: 1 },
        h(Text, { wrap: 'truncate' }, isSelected ? paint('accent', `▸ ${title}`) : `  ${title}`),
      ),
      look.columns < WIDE
        ? null
        : h(
            Box,
            { flexShrink: 0 },
            h(Text, null, paint('quiet', shortTime(session.changedAt).slice(0, -3))),
          ),
    );
  });
  const filter = `${paint('strong', 'sessions')}  ${inline(picker.filter.text)}${cursorOn(' ')}`;
  const hint =
    sessions.length === 0 ? 'none is called so' : 'type to filter · ↑ ↓ · Enter opens · Esc back';
  return h(
    Box,
    { flexDirection: 'column' },
    h(Text, { wrap: 'truncate' }, filter),
    ...rows,
    h(Text, { wrap: 'truncate' }, paint('quiet', hint)),
  );
}
