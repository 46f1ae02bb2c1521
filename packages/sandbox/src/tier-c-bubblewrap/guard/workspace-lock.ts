import { closeSync, constants, openSync } from 'node:fs';
import type { Libc } from '../../libc.ts';
import { below } from '../workspace.ts';

const FLOCK = process.arch === 'arm64' ? 32 : 73;
const [SHARED, EXCLUSIVE, WITHOUT_WAITING] = [1, 2, 4];
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A lock on the folder itself, which every process that makes sandboxes in it knows without knowing
 * the others. The system lets go of it when its process ends, however that happens.
 */
export class WorkspaceLock implements Disposable {
  /** Of the folder. */
  readonly descriptor: number;
  readonly #libc: Libc;

  /** Contract: `folder` is a descriptor of it, and stays the caller's. Throws as `open` does. */
  constructor(libc: Libc, folder: number) {
    this.#libc = libc;
    this.descriptor = openSync(below(folder, '.'), FOLDER);
  }

  /** While anything of ours lives in it. Contract: `false` while somebody tidies up. */
  tryShare(): boolean {
    return this.#take(SHARED);
  }

  /** To tidy up. Contract: `false` while anything of anybody lives in it; what was held is lost then. */
  trySeize(): boolean {
    return this.#take(EXCLUSIVE);
  }

  #take(kind: number): boolean {
    return this.#libc.syscall(FLOCK, [this.descriptor, kind | WITHOUT_WAITING]) === 0;
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}
