import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { JournalEntry } from '@palyra/protocol';
import type { Paint, Terminal } from '../terminal.ts';
import { cut, padEnd } from './text-width.ts';
import { inline, shortTime } from './words.ts';

const KIND_WIDTH = 15;
const SEQUENCE_WIDTH = 6;

/** One entry on one line: number, time, kind and what matters of it. */
export function entryLine(terminal: Terminal, entry: JournalEntry): string {
  const { paint } = terminal;
  const sequence = String(entry.sequence).padStart(SEQUENCE_WIDTH);
  const kind = padEnd(inline(entry.kind), KIND_WIDTH);
  const room = terminal.isInteractive ? terminal.width - 46 : Number.POSITIVE_INFINITY;
  const summary = cut(summaryOf(entry.kind, entry.payload ?? {}), Math.max(room, 10));
  return `${sequence}  ${paint('quiet', shortTime(entry.time))}  ${kindPaint(kind, paint)}  ${summary}`;
}

function kindPaint(kind: string, paint: Paint): string {
  return kind.startsWith('tool.') ? paint('accent', kind) : kind;
}

/** The fields that tell most about each kind, in the order in which one reads them. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  'daemon.started': ['version', 'profile'],
  'daemon.stopped': ['reason'],
  'journal.archived': ['segments'],
  'run.started': ['prompt'],
  'run.resumed': ['turns'],
  'run.interrupted': ['reason'],
  'run.ended': ['status'],
  'model.message': ['text'],
  'tool.proposed': ['tool', 'arguments'],
  'tool.decided': ['kind', 'reason'],
  'tool.started': ['executor'],
  'tool.finished': ['outcome'],
  'tool.attested': ['sandboxEnforcement', 'attestationId'],
};

export function summaryOf(kind: string, payload: JsonObject): string {
  const fields = Object.hasOwn(TELLING, kind) ? (TELLING[kind] ?? []) : [];
  return fields
    .map((field) => payload[field])
    .filter((value) => value !== undefined && value !== '')
    .map((value) => telling(value))
    .join('  ')
    .trim();
}

/** Wire names of enum values carry their type; a person needs only the end of it. */
function telling(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return inline(JSON.stringify(value ?? null));
  const word = /^(?:DECISION_KIND|TOOL_OUTCOME|RUN_STATUS|EXECUTOR)_([A-Z_]+)$/.exec(value);
  const text = word?.[1]?.toLowerCase().replaceAll('_', ' ') ?? value;
  return inline(text.replaceAll(/\s+/g, ' '));
}
