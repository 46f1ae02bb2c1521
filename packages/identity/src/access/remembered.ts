/** At most so many answers are kept; one more forgets them all, which costs a look each. */
const MAX_REMEMBERED = 1_024;

/**
 * Answers that hold for as long as the registry does not change: the revision is asked every time,
 * so nothing outlives the write that took it back.
 */
export class Remembered<Answer> {
  readonly #revision: () => number;
  readonly #answers = new Map<string, Answer>();
  #seen = -1;

  constructor(revision: () => number) {
    this.#revision = revision;
  }

  /** Contract: an answer that fails is not remembered. */
  async get(key: string, look: () => Promise<Answer>): Promise<Answer> {
    const revision = this.#revision();
    if (revision !== this.#seen || this.#answers.size >= MAX_REMEMBERED) {
      this.#answers.clear();
      this.#seen = revision;
    }
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = await look();
    // What was read may be older than a write that came meanwhile.
    if (this.#revision() === revision && this.#seen === revision) this.#answers.set(key, answer);
    return answer;
  }
}
