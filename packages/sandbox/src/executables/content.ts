import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** What the first bytes of a file make the kernel do with it. */
export type Format =
  | { readonly kind: 'elf' }
  /** The kernel starts the interpreter instead, with what follows it as one word. */
  | { readonly kind: 'script'; readonly interpreter: string }
  /** A handler that the machine registered may run it all the same; what it does nobody knows. */
  | { readonly kind: 'other' };

export interface Content {
  readonly format: Format;
  /** Several programs in one file, told apart by the name under which they are called. */
  readonly multiCall: string | undefined;
}

const HEAD_BYTES = 256;
const CHUNK_BYTES = 256 * 1024;
/** What many programs in one file say of themselves. */
const MARKS: readonly (readonly [string, string])[] = [
  ['BusyBox v', 'busybox'],
  ['landley.net/toybox', 'toybox'],
  ['multi-call binary', 'a multi-call binary'],
];
const LONGEST_MARK = Math.max(...MARKS.map(([mark]) => mark.length));
/** They are small; what is larger is not read to its end. */
const MAX_MARKED_BYTES = 16 * 1024 * 1024;

export function formatOf(head: Uint8Array): Format {
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('\u007FELF')) return { kind: 'elf' };
  if (!text.startsWith('#!')) return { kind: 'other' };
  const interpreter = /^#![ \t]*([^\s\0]+)/.exec(text)?.[1];
  return interpreter === undefined ? { kind: 'other' } : { kind: 'script', interpreter };
}

/** Contract: throws as `open` does for what may not be read. */
export function readContent(place: number): Content {
  const head = Buffer.alloc(HEAD_BYTES);
  let multiCall: string | undefined;
  let before = Buffer.alloc(0);
  let isFirst = true;
  for (const chunk of chunksOf(place, MAX_MARKED_BYTES)) {
    if (isFirst) chunk.copy(head, 0, 0, HEAD_BYTES);
    isFirst = false;
    const seen = Buffer.concat([before, chunk]);
    multiCall ??= MARKS.find(([mark]) => seen.includes(mark, 0, 'latin1'))?.[1];
    before = seen.subarray(-LONGEST_MARK);
  }
  return { format: formatOf(head), multiCall };
}

/** SHA-256, in hex. Contract: as `readContent`. */
export function hashContent(place: number): string {
  const hash = createHash('sha256');
  for (const chunk of chunksOf(place, Number.MAX_SAFE_INTEGER)) hash.update(chunk);
  return hash.digest('hex');
}

/** From a descriptor that only names a place: what is read is what it names, whoever moves it meanwhile. */
function* chunksOf(place: number, mostBytes: number): Generator<Buffer<ArrayBuffer>> {
  const descriptor = openSync(
    `/proc/self/fd/${place}`,
    constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
  try {
    const size = Math.min(fstatSync(descriptor).size, mostBytes);
    for (let offset = 0; offset < size;) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - offset));
      const read = readSync(descriptor, chunk, 0, chunk.length, offset);
      if (read === 0) return;
      offset += read;
      yield chunk.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}
