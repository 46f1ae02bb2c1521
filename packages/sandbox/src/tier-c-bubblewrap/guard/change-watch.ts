import { close, readSync, statfsSync } from 'node:fs';
import type { Libc } from '../../libc.ts';
import { pollNow } from '../../poll-now.ts';
import { type Workspace, below } from '../workspace.ts';
import { type Change, collect } from './change-events.ts';

/** What is heard of: the names in a folder; those of a file; and whether anybody touched something at all. */
type Shown = 'folder' | 'file' | 'anything';

/**
 * Hears from the kernel of every change to whatever it was shown, by whomever and under whatever name, before
 * the call that makes the change returns. Once it cannot hear of all, it is deaf, and never quiet again.
 */
export interface ChangeWatch extends Disposable {
  /**
   * Contract: before it is looked at. Gives the number by which changes are told of it; `undefined` when it cannot be
   * watched, or is not there.
   */
  show(place: string, what: Shown): number | undefined;
  /** Whether nothing of it has changed since. On doubt it has. */
  isQuiet(): boolean;
  /** What has changed until now, which does not count any more. Contract: `undefined` when not all of it is known. */
  take(): readonly Change[] | undefined;
  /** There is something of which nobody can hear. */
  goDeaf(): void;
}

const [INIT, ADD] = process.arch === 'arm64' ? [26, 27] : [294, 254];
const CLOSED_ON_EXEC_WITHOUT_WAITING = 0o2004000;
const [MODIFIED, ATTRIBUTES, MOVED, MADE, REMOVED, ITSELF] = [0x2, 0x4, 0xc0, 0x100, 0x200, 0xc00];
const NAMES = ATTRIBUTES | MOVED | MADE | REMOVED | ITSELF;
const EVENTS = { folder: NAMES, file: ATTRIBUTES | ITSELF, anything: NAMES | MODIFIED } as const;
/** No link is followed, and what one and the same was shown as before counts too. */
const FLAGS = 0x0200_0000 | 0x2000_0000;

/** For one workspace. Each takes the kernel about a kilobyte, and a user has some ten thousand at most. */
const MOST_WATCHED = 4096;
const EVENT_BYTES = 64 * 1024;
/** The kernel keeps some thousand events, and tells when there were more. */
const MOST_READS = 256;

/** Where the kernel sees every change: ext2 to ext4, XFS, Btrfs, F2FS and memory. Elsewhere others may make them. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994,
]);

/** Contract: `undefined` where there can be none. */
export function watchChanges(
  libc: Libc,
  { descriptor }: Pick<Workspace, 'descriptor'>,
): ChangeWatch | undefined {
  if (!isLocal(descriptor)) return undefined;
  const watch = new Inotify(libc);
  return watch.isQuiet() ? watch : undefined;
}

function isLocal(descriptor: number): boolean {
  try {
    return LOCAL.has(statfsSync(below(descriptor, '.')).type);
  } catch {
    return false;
  }
}

class Inotify implements ChangeWatch {
  readonly #libc: Libc;
  #descriptor: number;
  #hasHeard: () => boolean;
  /** By the kernel's numbers; what is gone stays in it. */
  readonly #watched = new Set<number>();
  #isDeaf: boolean;

  /** Contract: deaf from the beginning where there can be none. */
  constructor(libc: Libc) {
    this.#libc = libc;
    this.#descriptor = libc.syscall(INIT, [CLOSED_ON_EXEC_WITHOUT_WAITING]);
    this.#hasHeard = pollNow(libc, this.#descriptor, 'readable');
    this.#isDeaf = this.#descriptor < 0;
  }

  show(place: string, what: Shown): number | undefined {
    if (this.#isDeaf) return undefined;
    const path = Buffer.from(`${place}\0`);
    const number = this.#libc.syscall(ADD, [this.#descriptor, path, EVENTS[what] | FLAGS]);
    if (number < 0) return undefined;
    this.#watched.add(number);
    if (this.#watched.size > MOST_WATCHED) this.goDeaf();
    return this.#isDeaf ? undefined : number;
  }

  isQuiet(): boolean {
    return !this.#isDeaf && !this.#hasHeard();
  }

  take(): readonly Change[] | undefined {
    if (this.#isDeaf) return undefined;
    if (this.#watched.size > MOST_WATCHED / 2) return this.#renew();
    const events = Buffer.alloc(EVENT_BYTES);
    const changes: Change[] = [];
    let isAll = true;
    for (let left = MOST_READS; !this.isQuiet(); left -= 1) {
      if (this.#isDeaf) return undefined;
      const length = left === 0 ? undefined : this.#read(events);
      if (length === undefined) this.goDeaf();
      else isAll = isAll && collect(events.subarray(0, length), changes);
    }
    return isAll ? changes : undefined;
  }

  /** Much of what is watched may be gone by now, and only a new one begins with nothing. */
  #renew(): undefined {
    this.goDeaf();
    const next = new Inotify(this.#libc);
    this.#watched.clear();
    this.#descriptor = next.#descriptor;
    this.#hasHeard = next.#hasHeard;
    this.#isDeaf = next.#isDeaf;
  }

  /** Contract: `undefined` when it cannot be read; that there is nothing in it is no fault. */
  #read(events: Buffer): number | undefined {
    try {
      return readSync(this.#descriptor, events) || undefined;
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : undefined;
    }
  }

  goDeaf(): void {
    if (this.#isDeaf) return;
    this.#isDeaf = true;
    // The kernel takes its time to let go of all of it, in which we would answer nobody.
    close(this.#descriptor, () => {});
  }

  [Symbol.dispose](): void {
    this.goDeaf();
  }
}
