import type { Bytes } from '@palyra/kernel';
import type { StreamName } from '../capture.ts';
import { MAX_PIECE_BYTES } from './bounds.ts';
import type { Outbox } from './outbox.ts';

/** Of everything on its way to a daemon that does not read; above it nothing is added unasked. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024;

/**
 * The output of one run on its way out. It goes at once as long as the daemon keeps up. What does not
 * is held by the run anyhow, within its limit, and follows at the end, one piece after the other.
 */
export class OutputStream {
  readonly #outbox: Outbox;
  readonly #id: number;
  readonly #sent: Record<StreamName, number> = { stdout: 0, stderr: 0 };
  readonly #isBehind: Record<StreamName, boolean> = { stdout: false, stderr: false };

  constructor(outbox: Outbox, id: number) {
    this.#outbox = outbox;
    this.#id = id;
  }

  add(stream: StreamName, bytes: Bytes): void {
    this.#isBehind[stream] ||= this.#outbox.pendingBytes + bytes.length > MAX_PENDING_BYTES;
    if (this.#isBehind[stream]) return;
    for (const piece of piecesOf(bytes)) void this.#send(stream, piece);
  }

  /** Contract: whatever was not sent yet is taken by the other side when it resolves. */
  async finish(whole: Readonly<Record<StreamName, Bytes>>): Promise<void> {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = whole[stream].subarray(this.#sent[stream]);
      for (const piece of piecesOf(rest)) await this.#send(stream, piece);
    }
  }

  async #send(stream: StreamName, bytes: Bytes): Promise<void> {
    this.#sent[stream] += bytes.length;
    await this.#outbox.post({ kind: 'output', id: this.#id, stream, bytes }, bytes.length);
  }
}

function* piecesOf(bytes: Bytes): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) {
    yield bytes.subarray(at, at + MAX_PIECE_BYTES);
  }
}
