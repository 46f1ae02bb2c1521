/** How many of the newest events of a run are known one by one. */
const MAX_RECENT = 512;
/**
 * How many of them are asked for again where a stream broke. A turn has eight calls under way at most,
 * and each of them tells of an entry before it writes the next one, so that few are ever on their way.
 */
const MAX_LATE = 64;

/**
 * Which recorded events of one run were heard. Calls beside one another tell of their entries in another
 * order than they were written, so that the highest sequence says nothing of those shortly below it.
 */
export class HeardEvents {
  /** INVARIANT: ascending, each above the floor. */
  readonly #recent: bigint[] = [];
  /** Everything up to here counts as heard. */
  #floor: bigint;
  /** Up to here a stream that was opened again tells what it has told before. */
  #repeatedUpTo = 0n;

  constructor(floor = 0n) {
    this.#floor = floor;
  }

  get newest(): bigint {
    return this.#recent.at(-1) ?? this.#floor;
  }

  /** Where a stream has to be opened again, so that nothing that was late when it broke is missed. */
  get resumeAfter(): bigint {
    return this.#recent.at(-MAX_LATE) ?? this.#floor;
  }

  /** For a stream that is opened again, after `resumeAfter` or before. */
  beginAgain(): void {
    this.#repeatedUpTo = this.newest;
  }

  /**
   * Whether this event is to be told. Contract: words on their way have the sequence 0, and among what
   * is repeated they belong to a message that was heard.
   */
  hear(sequence: bigint): boolean {
    if (sequence === 0n) return this.#repeatedUpTo === 0n;
    if (sequence >= this.#repeatedUpTo) this.#repeatedUpTo = 0n;
    if (sequence <= this.#floor) return false;
    const before = this.#recent.findLastIndex((one) => one <= sequence);
    if (this.#recent[before] === sequence) return false;
    this.#recent.splice(before + 1, 0, sequence);
    if (this.#recent.length > MAX_RECENT) this.#floor = this.#recent.shift() ?? this.#floor;
    return true;
  }

  copy(): HeardEvents {
    const copy = new HeardEvents(this.#floor);
    copy.#recent.push(...this.#recent);
    copy.#repeatedUpTo = this.#repeatedUpTo;
    return copy;
  }
}
