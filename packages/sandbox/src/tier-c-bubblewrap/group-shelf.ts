import type { BwrapStandIn } from './bwrap-process.ts';
import { type Group, type GroupLimits, type Groups, makeGroup, removeGroup } from './cgroup.ts';

export interface ShelfParts {
  readonly groups: Groups;
  readonly nextName: () => string;
  /** Contract: `undefined` where there can be none. */
  readonly startStandIn: () => BwrapStandIn | undefined;
}

/** A group, and whoever waits in it to become the bwrap of its sandbox. */
export interface Stocked {
  readonly group: Group;
  readonly standIn: BwrapStandIn | undefined;
}

/**
 * Has the group of the next sandbox made before that is asked for, with somebody in it: before the kernel moves
 * a process into a group it waits for everybody who forks just now, ten milliseconds, and bwrap could not start
 * anybody meanwhile. Whoever descends from one who is in it already need not be moved.
 */
export class GroupShelf implements AsyncDisposable {
  readonly #parts: ShelfParts;
  #spare: Stocked | undefined;
  #isClosed = false;
  /** Each in its turn: the kernel lets one wait for the other anyway, and us stand still with them. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ShelfParts) {
    this.#parts = parts;
  }

  /** Contract: both are the caller's; the group has these limits. Rejects as the file system does. */
  async take(limits: GroupLimits): Promise<Stocked> {
    const stocked =
      this.#takeSpare() ??
      (await this.#inTurn(async () => this.#takeSpare() ?? (await this.#make(limits))));
    try {
      stocked.group.limit(limits);
      return stocked;
    } catch (error) {
      // Some of its limits may be set and others not: nobody gets it.
      void discard(stocked);
      throw error;
    }
  }

  /** Contract: never rejects; whoever is next is told why there is none. */
  async restock(limits: GroupLimits): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#spare !== undefined || this.#isClosed) return;
      this.#spare = await this.#make(limits);
    }).catch(() => {
      // It is tried again when one is needed.
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    const spare = this.#takeSpare();
    if (spare !== undefined) await discard(spare);
  }

  #takeSpare(): Stocked | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #make(limits: GroupLimits): Promise<Stocked> {
    const { groups, nextName, startStandIn } = this.#parts;
    const group = makeGroup(groups, nextName(), limits);
    let standIn: BwrapStandIn | undefined;
    try {
      standIn = startStandIn();
      if (standIn !== undefined) await group.addSoon(standIn.pid);
      return { group, standIn };
    } catch (error) {
      void discard({ group, standIn });
      throw error;
    }
  }
}

async function discard({ group, standIn }: Stocked): Promise<void> {
  await standIn?.[Symbol.asyncDispose]();
  await removeGroup(group);
}
