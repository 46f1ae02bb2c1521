import { ENTRY_FORMAT } from '@palyra/kernel';

const ID_LENGTH = 26;
const ACTOR_AT = '{"actor":"'.length;
const AFTER_ACTOR = `","format":"${ENTRY_FORMAT}","id":"","kind":"`.length + ID_LENGTH;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** What the tables beside the entries depend on; `run` is every kind that begins so. */
export type TellingKind = (typeof TELLING)[number] | 'run' | 'other';

const TELLING = [
  'tool.finished',
  'tool.decided',
  'model.message',
  'approval.asked',
  'records.changed',
  'journal.archived',
] as const;

/** Finds where the kind begins without decoding the entry: between the actor and it, every length is known. */
export function kindAt(text: string, start: number): number {
  let at = start + ACTOR_AT;
  for (
    let next = text.charCodeAt(at);
    next !== QUOTE && at < text.length;
    next = text.charCodeAt(at)
  ) {
    at += next === BACKSLASH ? 2 : 1;
  }
  return at + AFTER_ACTOR;
}

/** The kind that begins there. */
export function readKind(text: string, at: number): TellingKind {
  if (text.startsWith('run.', at)) return 'run';
  // No kind is the beginning of another one.
  return TELLING.find((kind) => text.startsWith(kind, at)) ?? 'other';
}
