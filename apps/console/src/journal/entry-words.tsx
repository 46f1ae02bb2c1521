import { kindWords } from '@palyra/client';
import { visibleText } from '@palyra/kernel';
import type { JournalEntry } from '@palyra/protocol';
import { Badge } from '@palyra/ui';
import { entryText, withShortIds } from './entry-text.ts';
import { entryTone } from './entry-tone.ts';

/** An entry on one line: its kind, and what matters of it, or else who did it. */
export function EntryWords({ entry }: { readonly entry: JournalEntry }) {
  const words = entryText(entry) || visibleText(entry.actor, 'one-line');
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Badge tone={entryTone(entry)} title={visibleText(entry.kind, 'one-line')}>
        {kindWords(entry.kind)}
      </Badge>
      <span className="min-w-0 truncate text-soft" title={words}>
        {withShortIds(words)}
      </span>
    </span>
  );
}
