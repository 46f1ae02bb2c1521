import { Box, Text } from 'ink';
import { type ReactElement, createElement as h } from 'react';
import { textWidth } from '../../render/text-width.ts';
import {
  type Block,
  type Cell,
  type ListItem,
  type Row,
  type Span,
  blocksOf,
} from '../markdown.ts';
import type { Look } from './look.ts';
import { Marked } from './marked.ts';

export interface MarkdownProps {
  readonly look: Look;
  readonly text: string;
}

export function Markdown({ look, text }: MarkdownProps) {
  return h(Blocks, { look, blocks: blocksOf(text), gap: 1 });
}

interface BlocksProps {
  readonly look: Look;
  readonly blocks: readonly Block[];
  readonly gap: number;
}

function Blocks({ look, blocks, gap }: BlocksProps): ReactElement {
  const views = blocks.map((block, key) => h(BlockView, { key, look, block }));
  return h(Box, { flexDirection: 'column', rowGap: gap }, ...views);
}

function BlockView({ look, block }: { readonly look: Look; readonly block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return h(Text, null, painted(look, block.spans));
    case 'heading':
      return h(Text, null, look.paint('strong', painted(look, block.spans)));
    case 'code':
      return h(Code, { look, language: block.language, text: block.text });
    case 'list':
      return h(List, { look, items: block.items });
    case 'quote':
      return h(Marked, { look, mark: 'quote' }, h(Blocks, { look, blocks: block.blocks, gap: 1 }));
    case 'table':
      return h(Table, { look, header: block.header, rows: block.rows });
    case 'rule':
      return h(Rule, { look, title: '' });
  }
}

function painted({ paint }: Look, spans: readonly Span[]): string {
  return spans
    .map(({ text, tones }) => tones.reduceRight((inner, tone) => paint(tone, inner), text))
    .join('');
}

interface CodeProps {
  readonly look: Look;
  readonly language: string;
  readonly text: string;
}

/** Framed above and below only, so that a line can be copied as it stands. */
function Code({ look, language, text }: CodeProps) {
  return h(
    Box,
    { flexDirection: 'column' },
    h(Rule, { look, title: language }),
    h(Text, { wrap: 'hard' }, text),
    h(Rule, { look, title: '' }),
  );
}

const MAX_RULE = 60;

function Rule({ look, title }: { readonly look: Look; readonly title: string }) {
  const length = Math.max(Math.min(look.columns - 8, MAX_RULE), 8);
  const head = title === '' ? '' : `── ${title} `;
  const line = head + '─'.repeat(Math.max(length - textWidth(head), 2));
  return h(Text, { wrap: 'truncate' }, look.paint('quiet', line));
}

function List({ look, items }: { readonly look: Look; readonly items: readonly ListItem[] }) {
  const column = Math.max(...items.map(({ mark }) => textWidth(mark))) + 1;
  const rows = items.map(({ mark, blocks }, key) =>
    h(
      Box,
      { key },
      h(Box, { width: column, flexShrink: 0 }, h(Text, null, look.paint('quiet', mark))),
      h(Box, { flexDirection: 'column', flexShrink: 1 }, h(Blocks, { look, blocks, gap: 0 })),
    ),
  );
  return h(Box, { flexDirection: 'column' }, ...rows);
}

interface TableProps {
  readonly look: Look;
  readonly header: Row;
  readonly rows: readonly Row[];
}

const COLUMN_GAP = 2;

function Table({ look, header, rows }: TableProps) {
  const widths = columnWidths([header, ...rows], look.columns - 6);
  const row = (cells: Row, key: number, isHeader = false) =>
    h(
      Box,
      { key, columnGap: COLUMN_GAP },
      ...widths.map((width, column) => {
        const text = painted(look, cells[column] ?? []);
        const shown = isHeader ? look.paint('strong', text) : text;
        return h(Box, { key: column, width, flexShrink: 0 }, h(Text, null, shown));
      }),
    );
  const lines = widths.map((width) => '─'.repeat(width)).join(' '.repeat(COLUMN_GAP));
  return h(
    Box,
    { flexDirection: 'column' },
    row(header, 0, true),
    h(Text, { wrap: 'truncate' }, look.paint('quiet', lines)),
    ...rows.map((cells, place) => row(cells, place + 1)),
  );
}

const MIN_COLUMN = 3;

/** As wide as what stands in them; where that is too much, the widest give way first. */
function columnWidths(rows: readonly Row[], room: number): readonly number[] {
  const count = Math.max(...rows.map((row) => row.length));
  const wanted = Array.from({ length: count }, (_, column) =>
    Math.max(MIN_COLUMN, ...rows.map((row) => cellWidth(row[column] ?? []))),
  );
  const widths = [...wanted];
  let free = room - COLUMN_GAP * (count - 1);
  const narrowFirst = [...wanted.keys()].toSorted(
    (left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0),
  );
  for (const [place, column] of narrowFirst.entries()) {
    const share = Math.max(Math.floor(free / (count - place)), MIN_COLUMN);
    widths[column] = Math.min(wanted[column] ?? 0, share);
    free -= widths[column] ?? 0;
  }
  return widths;
}

function cellWidth(cell: Cell): number {
  return cell.reduce((sum, { text }) => sum + textWidth(text), 0);
}
