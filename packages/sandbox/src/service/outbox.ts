/** The part of a channel between processes that writes; a child has it, and we have one to our parent. */
export interface Sender {
  readonly connected: boolean;
  send?(message: unknown, onSent: (error: Error | null) => void): boolean;
}

/** What a message costs beside the bytes that it carries, roughly. */
const ENVELOPE_BYTES = 1024;

/** Messages on their way, counted: Node keeps what the other side does not take, without a bound. */
export class Outbox {
  readonly #sender: Sender;
  readonly #onBroken: (reason: Error) => void;
  #pendingBytes = 0;

  /** `onBroken` is told of each message that did not get out. */
  constructor(sender: Sender, onBroken: (reason: Error) => void) {
    this.#sender = sender;
    this.#onBroken = onBroken;
  }

  /** Given to the system and not taken by the other side yet, as far as is known. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Contract: resolves when it was taken, or cannot be; never rejects. */
  post(message: object, bytes = 0): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const size = bytes + ENVELOPE_BYTES;
    this.#pendingBytes += size;
    const done = (error: Error | null) => {
      this.#pendingBytes -= size;
      if (error !== null) this.#onBroken(error);
      resolve();
    };
    if (!this.#sender.connected) done(new Error('the channel is closed'));
    else this.#sender.send?.(message, done);
    return promise;
  }
}
