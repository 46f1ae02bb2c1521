import { Refused } from './refusal.ts';

/** Shorter ones turn up by chance. */
const MIN_GUARDED = 8;

/**
 * Keeps a host that repeats what it was sent from handing a secret to the sandbox. It sees the
 * bytes as they come, so a host that encodes what it repeats passes it: bind secrets to hosts and
 * paths that do not.
 */
export class EchoGuard {
  readonly #values: readonly Buffer[];
  /** The start of a value, perhaps; it goes on as soon as it turns out not to be. */
  #held = Buffer.alloc(0);

  constructor(values: readonly string[]) {
    this.#values = values
      .filter(({ length }) => length >= MIN_GUARDED)
      .map((value) => Buffer.from(value, 'latin1'));
  }

  /** What may go on. Contract: throws Refused before any byte that completes a value went on. */
  pass(chunk: Buffer): Buffer {
    if (this.#values.length === 0) return chunk;
    const window = Buffer.concat([this.#held, chunk]);
    if (this.#values.some((value) => window.includes(value))) throw new Refused('secret-echoed');
    const keep = Math.max(...this.#values.map((value) => startAtEnd(window, value)));
    this.#held = Buffer.from(window.subarray(window.length - keep));
    return window.subarray(0, window.length - keep);
  }

  flush(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }
}

/** How many of the last bytes are the first ones of the value. */
function startAtEnd(window: Buffer, value: Buffer): number {
  const most = Math.min(window.length, value.length - 1);
  for (let length = most; length > 0; length -= 1) {
    const end = window.subarray(window.length - length);
    if (end[0] === value[0] && end.equals(value.subarray(0, length))) return length;
  }
  return 0;
}
