import type { Dirent } from 'node:fs';
import type { Change } from './change-events.ts';
import { inside } from './walk.ts';

/** Of all folders of a workspace together: some megabytes. */
const MOST_NAMES = 20_000;

/** Of the paths of all folders together, also of those that are gone. */
const MOST_PLACE_CHARACTERS = 2 * 1024 * 1024;

/**
 * The names in folders, for as long as nothing becomes of them: whoever makes one file would otherwise have every
 * folder listed again.
 * INVARIANT: what is known of a folder is what a list of it would say, but for changes that nobody has told us of.
 */
export class FolderLists {
  readonly #lists = new Map<string, readonly Dirent[]>();
  /** Where whatever is watched under a number was come across; under two paths where it is mounted twice. */
  readonly #places = new Map<number, Set<string>>();
  #names = 0;
  #placeCharacters = 0;
  /** Of changes that were told; what was listed before one may be from before it. */
  generation = 0;

  of(folder: string): readonly Dirent[] | undefined {
    return this.#lists.get(folder);
  }

  /** Contract: before anything in it is looked at, also where its names are not kept. */
  show(folder: string, number: number): void {
    const places = this.#places.get(number) ?? new Set();
    if (places.has(folder)) return;
    this.#places.set(number, places.add(folder));
    this.#placeCharacters += folder.length;
    // Whoever renames a folder again and again has all below it come across under ever new paths.
    if (this.#placeCharacters > MOST_PLACE_CHARACTERS) this.clear();
  }

  /** Contract: all names of a folder that was shown, come to from the top since that generation began. */
  keep(folder: string, entries: readonly Dirent[], generation: number): void {
    if (generation !== this.generation || this.#names + entries.length > MOST_NAMES) return;
    this.#forget(folder);
    this.#lists.set(folder, entries);
    this.#names += entries.length;
  }

  /** Contract: of everything that was shown, in whatever order. */
  hear(changes: readonly Change[]): void {
    this.generation += 1;
    for (const { number, name } of changes) {
      for (const folder of this.#places.get(number) ?? []) {
        this.#forget(folder);
        // Itself, and what is below, may be another by now.
        this.#forgetBelow(name === undefined ? folder : inside(folder, name));
      }
    }
  }

  clear(): void {
    this.generation += 1;
    this.#lists.clear();
    this.#places.clear();
    this.#names = 0;
    this.#placeCharacters = 0;
  }

  #forgetBelow(path: string): void {
    this.#forget(path);
    for (const folder of this.#lists.keys()) {
      if (path === '' || folder.startsWith(`${path}/`)) this.#forget(folder);
    }
  }

  #forget(folder: string): void {
    this.#names -= this.#lists.get(folder)?.length ?? 0;
    this.#lists.delete(folder);
  }
}
