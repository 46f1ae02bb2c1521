import type { Readable } from 'node:stream';
import type { Bytes } from '@palyra/kernel';

export type StreamName = 'stdout' | 'stderr';

export interface Captured {
  readonly bytes: Bytes;
  readonly isTruncated: boolean;
}

export interface Capture {
  /** Contract: resolves at the end of both streams, or when the cap was reached. */
  readonly ended: Promise<'ended' | 'full'>;
  take(): { readonly stdout: Captured; readonly stderr: Captured };
}

export interface CaptureOptions {
  /** Of both streams together; what comes after is not read. */
  readonly maxBytes: number;
  /** Called with what came, as it comes; already within the cap. */
  readonly onOutput: (stream: StreamName, bytes: Bytes) => void;
}

/** Reads both streams under one cap. Contract: holds no more than twice the cap, however small the pieces. */
export function capture(
  streams: Readonly<Record<StreamName, Readable>>,
  { maxBytes, onOutput }: CaptureOptions,
): Capture {
  let room = maxBytes;
  const kept = { stdout: new Heap(), stderr: new Heap() };
  const truncated = { stdout: false, stderr: false };
  const full = Promise.withResolvers<'full'>();
  const read = (name: StreamName) =>
    new Promise<void>((resolve) => {
      const stream = streams[name];
      stream.on('data', (chunk: Bytes) => {
        const piece = chunk.subarray(0, room);
        room -= piece.length;
        if (piece.length > 0) {
          kept[name].add(piece);
          onOutput(name, piece);
        }
        if (piece.length === chunk.length) return;
        truncated[name] = true;
        full.resolve('full');
        stream.destroy();
      });
      stream.once('close', resolve);
      // Whoever was to write may be gone since before anybody read.
      if (stream.closed) resolve();
      // A reader that fails has come to its end; what was read is kept.
      stream.once('error', () => stream.destroy());
    });
  const both = Promise.all([read('stdout'), read('stderr')]).then(() => 'ended' as const);
  const piece = (name: StreamName): Captured => ({
    bytes: kept[name].take(),
    isTruncated: truncated[name],
  });
  return {
    ended: Promise.race([full.promise, both]),
    take: () => ({ stdout: piece('stdout'), stderr: piece('stderr') }),
  };
}

const FIRST_BYTES = 4096;

/** One block that doubles: a million pieces of one byte would cost far more than a megabyte. */
class Heap {
  #block = Buffer.alloc(0);
  #length = 0;

  add(piece: Bytes): void {
    const needed = this.#length + piece.length;
    if (needed > this.#block.length) {
      const larger = Buffer.alloc(Math.max(FIRST_BYTES, needed, this.#block.length * 2));
      this.#block.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    this.#block.set(piece, this.#length);
    this.#length = needed;
  }

  take(): Bytes {
    return new Uint8Array(this.#block.subarray(0, this.#length));
  }
}
