import {
  type Group,
  type GroupLimits,
  type Groups,
  expectMove,
  makeGroup,
  removeGroup,
} from './cgroup.ts';

/** Has the group of the next sandbox made before that is asked for: no command waits for the making. */
export class GroupShelf implements AsyncDisposable {
  readonly #groups: Groups;
  readonly #nextName: () => string;
  #spare: Group | undefined;
  #isExpected = false;
  #moved: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(groups: Groups, nextName: () => string) {
    this.#groups = groups;
    this.#nextName = nextName;
  }

  /** One will be taken in a moment, and something moved into it. */
  expect(): void {
    if (this.#spare !== undefined) this.#getReady();
  }

  /** Contract: it is the caller's, empty, and has these limits. Throws as the file system does. */
  take(limits: GroupLimits): Group {
    const group = this.#spare ?? makeGroup(this.#groups, this.#nextName(), limits);
    this.#spare = undefined;
    this.#getReady();
    this.#isExpected = false;
    try {
      group.limit(limits);
      return group;
    } catch (error) {
      // Some of its limits may be set and others not: nobody gets it.
      void removeGroup(group);
      throw error;
    }
  }

  /** Contract: never throws; whoever is next is told why there is none. */
  restock(limits: GroupLimits): void {
    if (this.#spare !== undefined || this.#isClosed) return;
    try {
      this.#spare = makeGroup(this.#groups, this.#nextName(), limits);
    } catch {
      // It is tried again when one is needed.
    }
  }

  #getReady(): void {
    if (this.#isExpected) return;
    this.#isExpected = true;
    this.#moved = Promise.all([this.#moved, expectMove(this.#groups)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const spare = this.#spare;
    this.#spare = undefined;
    await this.#moved;
    if (spare !== undefined) await removeGroup(spare);
  }
}
