import { close, openSync } from 'node:fs';
import type { Libc } from '../libc.ts';

/** Hears of every change to what is mounted where a process is. */
export interface MountWatch extends AsyncDisposable {
  /** Since it was opened or last asked, of any mount, by whomever. */
  hasChanged(): boolean;
}

const PPOLL = process.arch === 'arm64' ? 73 : 271;
/** What the kernel says of its list of mounts when that is not any more what it was. */
const POLLPRI = 2;
const SIGNAL_SET_BYTES = 8;

/**
 * The kernel counts the changes, which is far cheaper than to read the list again. It holds the mounts as
 * long as it is open. Contract: throws as `open` does when there is no such process; closed when disposed of.
 */
export function watchMounts(libc: Libc, pid: number): MountWatch {
  const descriptor = openSync(`/proc/${pid}/mountinfo`, 'r');
  const asked = Buffer.alloc(8);
  asked.writeInt32LE(descriptor, 0);
  asked.writeInt16LE(POLLPRI, 4);
  const noTime = Buffer.alloc(16);
  return {
    // Whatever is not a plain no is a yes.
    hasChanged: () => libc.syscall(PPOLL, [asked, 1, noTime, 0, SIGNAL_SET_BYTES]) !== 0,
    // Whoever closes it last takes all mounts apart, for milliseconds in which we would answer nobody.
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => close(descriptor, () => resolve())),
  };
}
