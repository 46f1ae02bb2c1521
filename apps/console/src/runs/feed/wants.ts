/** A run, and what is known of it: heard is what comes after. */
export interface Want {
  readonly runId: string;
  readonly after: bigint;
}

/** One event of a run, and the one that was told before it: whoever has not heard that has a gap. */
export interface Step {
  readonly after: bigint;
  readonly sequence: bigint;
}

/** Whether this comes next for somebody who knows the run so far. */
export function goesOn(known: bigint, { after, sequence }: Step): boolean {
  return after <= known && known < sequence;
}

/** As many as the gateway tells in one stream. */
export const MOST_RUNS = 64;

/** Which runs the tabs of a browser want to hear, and how far each tab has come. */
export class Wants {
  readonly #ofTabs = new Map<string, Map<string, bigint>>();
  #changed = Promise.withResolvers<void>();
  /** Since tabs were last counted. */
  #speakers = new Set<string>();

  /** Contract: resolves with the next change of what has to be asked for. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Contract: all that this tab wants; nothing when it leaves. */
  set(tab: string, runs: readonly Want[]): void {
    this.#speakers.add(tab);
    const before = this.#ofTabs.get(tab) ?? new Map<string, bigint>();
    this.#ofTabs.set(tab, fromLeast(runs));
    if (runs.length === 0) this.#ofTabs.delete(tab);
    // One run fewer is no reason to open the stream anew for all others.
    if (runs.some(({ runId, after }) => isEarlier(before.get(runId), after))) this.#change();
  }

  /** Tabs that are gone said no word. Whoever says one while the others are counted is there. */
  async keepOnly(tabs: () => Promise<ReadonlySet<string>>): Promise<void> {
    const speakers = new Set<string>();
    this.#speakers = speakers;
    const there = await tabs();
    for (const tab of this.#ofTabs.keys()) {
      if (!there.has(tab) && !speakers.has(tab)) this.#ofTabs.delete(tab);
    }
  }

  /** Every tab hears every event. One that came too late for those before it still wants them. */
  heard(runId: string, { after, sequence }: Step): void {
    for (const runs of this.#ofTabs.values()) {
      const known = runs.get(runId);
      if (known !== undefined && goesOn(known, { after, sequence })) runs.set(runId, sequence);
    }
  }

  /** For all who have heard it so far. */
  over(runId: string, after: bigint): void {
    for (const runs of this.#ofTabs.values()) {
      const known = runs.get(runId);
      if (known !== undefined && after <= known) runs.delete(runId);
    }
  }

  /** Each from where the tab that knows least has come to. */
  together(): readonly Want[] {
    const all = [...this.#ofTabs.values()].flatMap((runs) =>
      Array.from(runs, ([runId, after]) => ({ runId, after })),
    );
    return Array.from(fromLeast(all), ([runId, after]) => ({ runId, after }));
  }

  #change(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}

function fromLeast(runs: readonly Want[]): Map<string, bigint> {
  const least = new Map<string, bigint>();
  for (const { runId, after } of runs) {
    if (isEarlier(least.get(runId), after)) least.set(runId, after);
  }
  return least;
}

function isEarlier(known: bigint | undefined, after: bigint): boolean {
  return known === undefined || after < known;
}
