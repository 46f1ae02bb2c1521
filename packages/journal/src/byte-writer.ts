import type { Bytes } from '@palyra/kernel';

/** Several commits fill it. Whoever keeps one entry keeps as much memory alive. */
const ROOM_BYTES = 64 * 1024;

/**
 * Writes texts as UTF-8 one after another into large pieces of memory: cheaper than a piece each.
 * Readers get plain bytes, not a Buffer.
 */
export class ByteWriter {
  #room = Buffer.alloc(0);
  #used = 0;

  write(text: string): Bytes {
    // Three bytes are the most that UTF-8 needs for one code unit of UTF-16.
    const most = 3 * text.length;
    if (this.#room.length - this.#used < most) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(most, ROOM_BYTES));
      this.#used = 0;
    }
    const from = this.#used;
    const length = this.#room.write(text, from);
    this.#used += length;
    return new Uint8Array(this.#room.buffer, from, length);
  }
}
