import { entryTelling } from '@palyra/client';
import type { JournalEntry } from '@palyra/protocol';
import type { Paint, Terminal } from '../terminal.ts';
import { cut, padEnd } from './text-width.ts';
import { inline, shortTime } from './words.ts';

const KIND_WIDTH = 18;
const SEQUENCE_WIDTH = 6;

/** One entry on one line: number, time, kind and what matters of it, without its secrets. */
export function entryLine(terminal: Terminal, entry: JournalEntry): string {
  const { paint } = terminal;
  const sequence = String(entry.sequence).padStart(SEQUENCE_WIDTH);
  const kind = padEnd(inline(entry.kind), KIND_WIDTH);
  const room = terminal.isInteractive ? terminal.width - 49 : Number.POSITIVE_INFINITY;
  const summary = cut(entryTelling(entry.kind, entry.payload ?? {}).join('  '), Math.max(room, 10));
  return `${sequence}  ${paint('quiet', shortTime(entry.time))}  ${kindPaint(kind, paint)}  ${summary}`;
}

function kindPaint(kind: string, paint: Paint): string {
  return kind.startsWith('tool.') ? paint('accent', kind) : kind;
}
