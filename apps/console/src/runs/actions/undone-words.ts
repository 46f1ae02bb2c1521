import { UndoOutcome, type UndoneFile } from '@palyra/protocol';

export function undoneWords({ outcome, beforeSha256 }: UndoneFile): string {
  switch (outcome) {
    case UndoOutcome.RESTORED:
      return beforeSha256 === '' ? 'removed: there was none before' : 'restored';
    case UndoOutcome.UNCHANGED:
      return 'is as it was already';
    case UndoOutcome.HELD_BACK:
      return 'could be restored and was left';
    case UndoOutcome.REFUSED:
    case UndoOutcome.UNSPECIFIED:
  }
  // What is not known to be done is not done.
  return 'refused';
}
