import { close, openSync, readlinkSync } from 'node:fs';
import type { Libc } from '../../libc.ts';
import { pollNow } from '../../poll-now.ts';
import { linesAt, readList, spelled } from '../mount-list.ts';

const LIST = '/proc/self/mountinfo';

/**
 * What is mounted on a folder and below it, as this process sees it: whatever comes or goes there is no change to
 * any file. As root our own mounts come and go elsewhere all the time.
 */
export class MountsBelow implements Disposable {
  readonly #folder: number;
  readonly #list: number;
  readonly #hasChanged: () => boolean;
  #noted: string | undefined;

  /** Contract: `folder` is a descriptor of it, and stays the caller's. Throws as `open` does. */
  constructor(libc: Libc, folder: number) {
    this.#folder = folder;
    this.#list = openSync(LIST, 'r');
    this.#hasChanged = pollNow(libc, this.#list, 'urgent');
  }

  /** Contract: gives whether they are as they were noted before. */
  note(): boolean {
    this.#hasChanged();
    const before = this.#noted;
    this.#noted = this.#read();
    return this.#noted !== undefined && this.#noted === before;
  }

  /** Whether they are as noted. On doubt they are not, until they are noted again. */
  areSame(): boolean {
    // Asked before it is read: what changes in between is told of the next time.
    if (this.#hasChanged() && this.#read() !== this.#noted) this.#noted = undefined;
    return this.#noted !== undefined;
  }

  #read(): string | undefined {
    try {
      const path = spelled(readlinkSync(`/proc/self/fd/${this.#folder}`));
      return [path, ...linesAt(readList(this.#list), path)].join('\n');
    } catch {
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    close(this.#list, () => {});
  }
}
