import { ENTRY_FORMAT } from '@palyra/kernel';

const ID_LENGTH = 26;
const ACTOR_AT = '{"actor":"'.length;
const AFTER_ACTOR = `","format":"${ENTRY_FORMAT}","id":"","kind":"`.length + ID_LENGTH;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** What the tables beside the entries depend on; `run` is every kind that begins so. */
export type TellingKind = 'run' | 'tool.finished' | 'records.changed' | 'other';

/** Finds the kind without decoding the entry: between the actor and it, every length is known. */
export function readKind(text: string, start: number): TellingKind {
  let at = start + ACTOR_AT;
  for (
    let next = text.charCodeAt(at);
    next !== QUOTE && at < text.length;
    next = text.charCodeAt(at)
  ) {
    at += next === BACKSLASH ? 2 : 1;
  }
  at += AFTER_ACTOR;
  if (text.startsWith('run.', at)) return 'run';
  if (text.startsWith('tool.finished"', at)) return 'tool.finished';
  return text.startsWith('records.changed"', at) ? 'records.changed' : 'other';
}
