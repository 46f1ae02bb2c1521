import { UNREADABLE } from './walk.ts';

/** Something became of what is watched under that number. */
export interface Change {
  readonly number: number;
  /** The name in the folder of which it became; absent where that was the watched one itself. */
  readonly name: string | undefined;
}

/** More are not told apart. */
const MOST_CHANGES = 200;
/** As the kernel lays one out: whose, what, a number of ours, and how long the name is with its zeros. */
const HEAD_BYTES = 16;
const LENGTH_AT = 12;
/** There were more than the kernel keeps. */
const OVERFLOWN = 0x4000;

/** Adds what the kernel told. Contract: `false` when it is not known any more what it was about. */
export function collect(events: Buffer, changes: Change[]): boolean {
  for (let at = 0; at < events.length;) {
    const length = events.readUInt32LE(at + LENGTH_AT);
    const name = nameIn(events.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length));
    const isLost = (events.readUInt32LE(at + 4) & OVERFLOWN) !== 0;
    if (isLost || name?.includes(UNREADABLE) === true) return false;
    changes.push({ number: events.readInt32LE(at), name });
    at += HEAD_BYTES + length;
  }
  return changes.length <= MOST_CHANGES;
}

function nameIn(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(0);
  const name = bytes.subarray(0, end === -1 ? bytes.length : end).toString('utf8');
  return name === '' ? undefined : name;
}
