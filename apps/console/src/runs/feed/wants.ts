/** A run, and what is known of it: heard is what comes after. */
export interface Want {
  readonly runId: string;
  readonly after: bigint;
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
    const wanted = new Map(runs.map(({ runId, after }) => [runId, after]));
    this.#ofTabs.set(tab, wanted);
    if (runs.length === 0) this.#ofTabs.delete(tab);
    // One run fewer is no reason to open the stream anew for all others.
    if (runs.some(({ runId }) => !before.has(runId))) this.#change();
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

  /** Every tab hears every event. */
  heard(runId: string, sequence: bigint): void {
    for (const runs of this.#ofTabs.values()) {
      const after = runs.get(runId);
      if (after !== undefined && after < sequence) runs.set(runId, sequence);
    }
  }

  over(runId: string): void {
    for (const runs of this.#ofTabs.values()) runs.delete(runId);
  }

  /** Each from where the tab that knows least has come to. */
  together(): readonly Want[] {
    const least = new Map<string, bigint>();
    for (const [runId, after] of [...this.#ofTabs.values()].flatMap((runs) => [...runs])) {
      const known = least.get(runId);
      if (known === undefined || after < known) least.set(runId, after);
    }
    return Array.from(least, ([runId, after]) => ({ runId, after }));
  }

  #change(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}
