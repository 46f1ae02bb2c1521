import { type ChainFault, entryIdOf } from './journal-chain.ts';
import type { Bytes } from './sha256.ts';

/**
 * The entries of one run do not follow one another, so that no entry tells of a change of the one
 * before it. The last line of such a file therefore lists them: for each, its sequence number and
 * the begin of its hash. That finds the changed line; what proves the file is its signed digest.
 */
const SEQUENCE_BYTES = 8;
const MARK_HASH_BYTES = 8;
const MARK_BYTES = SEQUENCE_BYTES + MARK_HASH_BYTES;

export interface Mark {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** A line of a file that is being checked. */
export interface SeenLine {
  readonly line: Uint8Array;
  /** Absent for a line that is not an entry. */
  readonly sequence: number | undefined;
  readonly hash: Uint8Array;
}

/** What is wrong with a line, and how many before it are as they should be. */
export interface LineFault {
  readonly fault: ChainFault;
  readonly goodBefore: number;
}

export function writeMarks(marks: readonly Mark[]): Bytes {
  const bytes = new Uint8Array(marks.length * MARK_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [place, { sequence, hash }] of marks.entries()) {
    view.setBigUint64(place * MARK_BYTES, BigInt(sequence));
    bytes.set(hash.subarray(0, MARK_HASH_BYTES), place * MARK_BYTES + SEQUENCE_BYTES);
  }
  return bytes;
}

/** Lists the lines of a file, and finds the first that is not the one that should be there. */
export class SeenLines {
  readonly #seen: { readonly entryId: string | undefined; readonly mark: Mark }[] = [];

  add({ line, sequence, hash }: SeenLine): void {
    const mark = { sequence: sequence ?? 0, hash: hash.slice(0, MARK_HASH_BYTES) };
    this.#seen.push({ entryId: entryIdOf(line), mark });
  }

  /** Contract: `undefined` when the lines are those of the marks. */
  firstFault(marks: Bytes): LineFault | undefined {
    const view = new DataView(marks.buffer, marks.byteOffset, marks.byteLength);
    const count = Math.floor(marks.length / MARK_BYTES);
    for (let place = 0; place < count; place += 1) {
      const at = place * MARK_BYTES;
      const hash = marks.subarray(at + SEQUENCE_BYTES, at + MARK_BYTES);
      const fault = this.#faultAt(place, { sequence: Number(view.getBigUint64(at)), hash });
      if (fault !== undefined) return { fault, goodBefore: place };
    }
    const added = this.#seen[count];
    if (added === undefined) return undefined;
    return { fault: withId(added.mark.sequence, 'it was added', added), goodBefore: count };
  }

  #faultAt(place: number, { sequence, hash }: Mark): ChainFault | undefined {
    const seen = this.#seen[place];
    if (seen === undefined) return { sequence, reason: 'it is missing' };
    if (seen.mark.sequence === sequence) {
      const isSame = hash.every((byte, index) => byte === seen.mark.hash[index]);
      return isSame ? undefined : withId(sequence, 'its content was changed', seen);
    }
    if (seen.mark.sequence === 0) return withId(sequence, 'it is not an entry', seen);
    return { sequence, reason: `entry ${seen.mark.sequence} stands in its place` };
  }
}

function withId(
  sequence: number,
  reason: string,
  { entryId }: { readonly entryId: string | undefined },
): ChainFault {
  return entryId === undefined ? { sequence, reason } : { sequence, entryId, reason };
}
