import { plural } from '@palyra/client';
import { type UndoneFile, UndoOutcome } from '@palyra/protocol';
import type { Terminal, Tone } from '../terminal.ts';
import { inline } from './words.ts';

/** What was given back, what was not, and why. */
export function printUndone(terminal: Terminal, files: readonly UndoneFile[]): void {
  if (files.length === 0) {
    terminal.print('no file was kept, so there is nothing to undo');
    terminal.print(terminal.paint('quiet', 'what a program changed by itself is not kept'));
    return;
  }
  for (const file of files) {
    const { tone, mark, words } = lineOf(file, terminal);
    terminal.print(`${terminal.paint(tone, mark)} ${inline(file.path)}  ${words}`);
    const help = inline(file.error?.help ?? '');
    if (help !== '') terminal.print(`  ${terminal.paint('quiet', help)}`);
  }
  const refused = files.filter(({ outcome }) => outcome === UndoOutcome.REFUSED).length;
  if (refused > 0) {
    terminal.print(`\nnothing was restored: ${plural(refused, 'file')} cannot be`);
  }
}

interface Line {
  readonly tone: Tone;
  readonly mark: string;
  readonly words: string;
}

function lineOf({ outcome, beforeSha256, error }: UndoneFile, { symbols }: Terminal): Line {
  switch (outcome) {
    case UndoOutcome.RESTORED: {
      const words = beforeSha256 === '' ? 'removed: there was none before' : 'restored';
      return { tone: 'good', mark: symbols.done, words };
    }
    case UndoOutcome.UNCHANGED:
      return { tone: 'quiet', mark: symbols.none, words: 'is as it was already' };
    case UndoOutcome.HELD_BACK:
      return { tone: 'quiet', mark: symbols.none, words: 'could be restored and was left' };
    case UndoOutcome.REFUSED:
    case UndoOutcome.UNSPECIFIED:
  }
  // What is not known to be done is not done.
  const why = inline(error?.message ?? '');
  return { tone: 'bad', mark: symbols.failed, words: why === '' ? 'refused' : `refused: ${why}` };
}
