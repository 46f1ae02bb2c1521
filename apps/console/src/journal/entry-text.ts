import { entryTelling } from '@palyra/client';
import type { JournalEntry } from '@palyra/protocol';

/** Longer ones are cut; the entry itself has all. */
const MOST_TEXT = 400;

/** What matters of an entry, fit to be shown. */
export function entryText({ kind, payload }: Pick<JournalEntry, 'kind' | 'payload'>): string {
  const text = entryTelling(kind, payload ?? {}).join(' · ');
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

/** Of an id and a hash one reads the two ends. */
const LONG = /\b(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{64})\b/g;

export function withShortIds(text: string): string {
  return text.replace(LONG, (id) => `${id.slice(0, 6)}…${id.slice(-6)}`);
}
