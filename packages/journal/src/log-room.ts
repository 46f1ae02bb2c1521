import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { systemCode } from '@palyra/private-files';

/** What the log has when it is copied into the store, with a few commits more. */
const ROOM_BYTES = 2 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/**
 * Gives the write-ahead log its room on the disk at once: a commit that makes a file longer takes half
 * as long again as one that writes over what is there. Zeros are no frames, so that a log ends where they begin.
 * Contract: the store is open, and nothing is written to it meanwhile.
 */
export function makeLogRoom(storeFile: string): void {
  const descriptor = openSync(`${storeFile}-wal`, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    fill(descriptor, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

/** Contract: as it was, where there is no room for that much. Then the log grows with what is written to it. */
function fill(descriptor: number, size: number): void {
  const zeros = new Uint8Array(PIECE_BYTES);
  try {
    for (let end = size; end < ROOM_BYTES;) {
      end += writeSync(descriptor, zeros, 0, Math.min(zeros.length, ROOM_BYTES - end), end);
    }
  } catch (error) {
    ftruncateSync(descriptor, size);
    if (!NO_ROOM.has(systemCode(error) ?? '')) throw error;
  }
}

const NO_ROOM: ReadonlySet<string> = new Set(['EDQUOT', 'EFBIG', 'ENOSPC']);
