import type { PalyraError } from '@palyra/kernel';
import type { FileChange } from '@palyra/protocol';

/** What files held before they were changed, and the way back. A change tells the mode that it left, too. */
export interface UndoPort {
  /** Contract: never rejects, and changes nothing. */
  look(change: FileChange): Promise<UndoView>;
  /**
   * Takes one change back, unless the file is no longer as that change left it; then says why. A mode that
   * somebody set since stays.
   * Contract: never rejects. `onChange` is told what is about to be made, the way back from it kept;
   * when it rejects, the file stays as it is.
   */
  restore(
    change: FileChange,
    onChange: (made: FileChange) => Promise<void>,
  ): Promise<PalyraError | undefined>;
  /**
   * Takes away what the call of a change has left beside the file, after the call was cut off.
   * Contract: never rejects; what cannot be removed stays.
   */
  tidy(change: FileChange): Promise<void>;
}

export type UndoView =
  | { readonly kind: 'can-restore' }
  /** The file is as it was before the change already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly error: PalyraError };
