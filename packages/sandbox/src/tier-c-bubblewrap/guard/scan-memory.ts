import type { Libc } from '../../libc.ts';
import type { Workspace } from '../workspace.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';
import { FolderLists } from './folder-lists.ts';
import { MountsBelow } from './mounts-below.ts';
import type { Scanned } from './scan.ts';

/** One look through a workspace, from its beginning on. */
export interface Look {
  readonly number: number;
  /** Is shown everything before it is looked at. Absent where nothing can be remembered. */
  readonly watch: ChangeWatch | undefined;
  /** Of folders of which nothing has become since an earlier look. */
  readonly lists: FolderLists;
}

/**
 * What was found in a workspace, for as long as nothing in it changes: to look through all of it before each
 * command, and behind each, takes longer than a small command itself.
 * INVARIANT: what is remembered is what another look would find.
 */
export class ScanMemory implements Disposable {
  readonly #watch: ChangeWatch | undefined;
  readonly #mounts: MountsBelow | undefined;
  readonly #lists = new FolderLists();
  #looks = 0;
  #found: { readonly look: Look; readonly scanned: Scanned } | undefined;

  /** Contract: without either nothing is remembered. */
  constructor(watch?: ChangeWatch, mounts?: MountsBelow) {
    this.#watch = watch;
    this.#mounts = mounts;
  }

  /** Contract: `undefined` unless nothing has changed since. */
  recall(): { readonly look: Look; readonly scanned: Scanned } | undefined {
    return this.#found !== undefined && this.isAsIn(this.#found.look) ? this.#found : undefined;
  }

  /** Contract: before anything is looked at. Whatever was remembered is forgotten. */
  begin(): Look {
    this.#looks += 1;
    this.#found = undefined;
    // First the mounts: what is mounted between the two is heard of afterwards.
    const areSame = this.#mounts?.note() === true;
    const changes = this.#watch?.take();
    if (areSame && changes !== undefined) this.#lists.hear(changes);
    else this.#lists.clear();
    return { number: this.#looks, watch: this.#watch, lists: this.#lists };
  }

  /** Contract: nothing is remembered of a look after which another has begun: what changed between them is not known. */
  keep(look: Look, scanned: Scanned): void {
    if (look.number === this.#looks) this.#found = { look, scanned };
  }

  /** Whether nothing has changed since that look began. On doubt it has. */
  isAsIn({ number }: Look): boolean {
    if (number !== this.#looks) return false;
    return this.#watch?.isQuiet() === true && this.#mounts?.areSame() === true;
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
    this.#mounts?.[Symbol.dispose]();
  }
}

/** Remembers nothing where changes cannot be heard of. */
export function openMemory(libc: Libc, { descriptor }: Pick<Workspace, 'descriptor'>): ScanMemory {
  const watch = watchChanges(libc, { descriptor });
  if (watch === undefined) return new ScanMemory();
  try {
    return new ScanMemory(watch, new MountsBelow(libc, descriptor));
  } catch {
    watch[Symbol.dispose]();
    return new ScanMemory();
  }
}
