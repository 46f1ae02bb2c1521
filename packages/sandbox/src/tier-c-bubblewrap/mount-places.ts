import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** Hardly more are made at once. */
const MOST_KEPT = 16;

/** Empty folders to mount something on, kept for the next: to make one takes a busy file system longer than a mount. */
export class MountPlaces implements Disposable {
  readonly #folder: string;
  readonly #nextName: () => string;
  readonly #free: string[] = [];

  /** Contract: `folder` exists, and each name is given once. */
  constructor(folder: string, nextName: () => string) {
    this.#folder = folder;
    this.#nextName = nextName;
  }

  /** Contract: the caller's until it is given back; throws as the file system does. */
  take(): string {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const place = join(this.#folder, this.#nextName());
    mkdirSync(place, { mode: 0o755 });
    return place;
  }

  /** Contract: it is there, and nothing is mounted on it any more. */
  giveBack(place: string): void {
    if (this.#free.length < MOST_KEPT) this.#free.push(place);
    else this.discard(place);
  }

  /** Contract: never throws; one that something is still mounted on stays, for the next workshop to take away. */
  discard(place: string): void {
    try {
      rmdirSync(place);
    } catch {
      // Somebody has removed it already, or it is still in use.
    }
  }

  [Symbol.dispose](): void {
    for (const place of this.#free.splice(0)) this.discard(place);
  }
}
