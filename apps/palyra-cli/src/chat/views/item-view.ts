import { Box, Text } from 'ink';
import { createElement as h } from 'react';
import { visibleText } from '@palyra/kernel';
import type { Item } from '../transcript.ts';
import { CallHeadView } from './call-view.ts';
import { Lines } from './lines.ts';
import type { Look } from './look.ts';
import { Markdown } from './markdown-view.ts';
import { Marked } from './marked.ts';

export interface ItemProps {
  readonly look: Look;
  readonly item: Item;
}

/** One thing that was said or done, as it stays on the terminal. */
export function ItemView({ look, item }: ItemProps) {
  const marginTop = item.gap === 'line' ? 1 : 0;
  return h(
    Box,
    { flexDirection: 'column', marginTop, width: look.columns },
    h(Body, { look, item }),
  );
}

function Body({ look, item }: ItemProps) {
  switch (item.kind) {
    case 'prompt':
      return h(Prompt, { look, text: item.text });
    case 'speech':
      return h(
        Marked,
        { look, mark: 'foreign' },
        item.gap === 'marked-line' ? h(Text, null, ' ') : null,
        h(Markdown, { look, text: item.markdown }),
      );
    case 'call':
      return h(CallHeadView, { look, call: item.call });
    case 'question':
      return h(Marked, { look, mark: 'question' }, h(Lines, { lines: item.lines }));
    case 'page':
      return h(Box, { paddingLeft: 2, flexDirection: 'column' }, h(Lines, { lines: item.lines }));
    case 'note':
      return h(Note, { look, item });
  }
}

function Prompt({ look, text }: { readonly look: Look; readonly text: string }) {
  const shown = look.paint('strong', visibleText(text).replaceAll('\t', '    '));
  return h(
    Box,
    null,
    h(Box, { width: 2, flexShrink: 0 }, h(Text, null, look.paint('accent', '›'))),
    h(Box, { flexShrink: 1 }, h(Text, null, shown)),
  );
}

type NoteItem = Extract<Item, { kind: 'note' }>;

function Note({ look, item }: { readonly look: Look; readonly item: NoteItem }) {
  const { tone, text, help } = item;
  return h(
    Box,
    { flexDirection: 'column', paddingLeft: 2 },
    h(Text, null, look.paint(tone, text)),
    help === undefined ? null : h(Text, null, look.paint('quiet', `try: ${help}`)),
  );
}
