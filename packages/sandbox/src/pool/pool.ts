import { identifyBwrap } from '../tier-c-bubblewrap/bwrap-binary.ts';
import { type Cage, restock, startCage } from '../tier-c-bubblewrap/cage.ts';
import type { CageRequest } from '../tier-c-bubblewrap/plan.ts';
import { type Site, prepareCage } from '../tier-c-bubblewrap/prepare.ts';
import type { Workshop } from '../tier-c-bubblewrap/workshop.ts';
import { likenessKey } from './key.ts';

export interface PoolOptions {
  /** How many wait for the next command of the same kind: one to three. */
  readonly perKey?: number;
  /** How many wait altogether. */
  readonly total?: number;
  readonly maxAgeMs?: number;
}

/** Within what can be kept, whatever is wished for. */
export function poolBounds(options: PoolOptions): Required<PoolOptions> {
  const { perKey, total, maxAgeMs } = { ...DEFAULTS, ...options };
  return {
    perKey: Math.min(Math.max(perKey, 1), MAX_PER_KEY),
    total: Math.min(Math.max(total, 1), MAX_TOTAL),
    maxAgeMs: Math.min(maxAgeMs, DEFAULTS.maxAgeMs),
  };
}

const DEFAULTS: Required<PoolOptions> = { perKey: 1, total: 16, maxAgeMs: 60_000 };
const MAX_PER_KEY = 3;
/** Each is half a megabyte, and a network of its own. */
const MAX_TOTAL = 64;
/** For how many lives of a warm one after its last command a kind is still expected to be asked for. */
const ACTIVE_LIVES = 3;
/** A call that is refused, or that a person thinks about, leaves no masks for long. */
const EXPECTED_AGE_MS = 10_000;
const MAX_EXPECTED = 8;
const MAX_EXPECTED_PER_SESSION = 2;

/** What waits behind commands leaves so much free: sessions of one command would take all of it. */
function roomForExpected(total: number): number {
  return Math.floor(total / 4);
}

/** For a call that nobody has allowed yet, or behind a command for the next of its kind. */
type Purpose = 'expected' | 'kept';

interface Entry {
  readonly key: string;
  readonly request: CageRequest;
  readonly purpose: Purpose;
  readonly cage: Cage;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

interface Kind {
  request: CageRequest;
  /** When a command of it last began or ended. */
  usedAt: number;
}

/** A command while it is prepared and runs. */
export interface Busy extends Disposable {
  /** Absent until it is known. */
  kind?: Kind;
}

/** One that will be ready soon, or never. */
interface Making {
  readonly request: CageRequest;
  readonly purpose: Purpose;
  /** Contract: never rejects. */
  readonly over: Promise<unknown>;
  /** Absent until the workspace was looked at. */
  key?: string;
}

/**
 * Sandboxes that were made before they are needed, in time that nobody else needs.
 * INVARIANT: each is given out once at most, and only to a command whose own sandbox, made at that
 * moment, would be the same in everything.
 */
export class Pool implements AsyncDisposable {
  readonly #workshop: Workshop;
  readonly #options: Required<PoolOptions> | undefined;
  readonly #entries = new Set<Entry>();
  readonly #makings = new Set<Making>();
  readonly #kinds = new Map<string, Kind>();
  #running = 0;
  #isClosed = false;
  #filling: Promise<void> | undefined;

  /** Contract: without options it keeps nothing. */
  constructor(workshop: Workshop, options: PoolOptions | undefined) {
    this.#workshop = workshop;
    this.#options = options && poolBounds(options);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** While a command is prepared and runs: nothing is made warm meanwhile. */
  busy(): Busy {
    this.#running += 1;
    const busy: Busy = {
      [Symbol.dispose]: () => {
        this.#running -= 1;
        // The next one is expected after this one, however long it took.
        if (busy.kind !== undefined) busy.kind.usedAt = performance.now();
        this.#fillSoon();
      },
    };
    return busy;
  }

  /** Contract: `site` was looked at just now, and stays the caller's; `busy` is the command's own. */
  take(site: Site, busy: Busy): Cage | undefined {
    if (this.#options === undefined || this.#isClosed) return undefined;
    const key = this.#keyOf(site);
    busy.kind = this.#remember(key, site.request);
    this.#discardStale(site.request, key);
    for (const entry of this.#entries) {
      if (entry.key !== key) continue;
      this.#entries.delete(entry);
      clearTimeout(entry.timer);
      const isYoung = performance.now() < entry.expiresAt;
      // Somebody may have exchanged a name in the workspace, which takes away the mask that lay on it.
      if (isYoung && !entry.cage.mounts.hasChanged()) return entry.cage;
      this.#end(entry.cage);
    }
    return undefined;
  }

  /**
   * Makes one ready now, whatever runs, for a call that may never come: unless as many wait already, it
   * lives shortly, and only others of its sort make room for it.
   * Contract: rejects as `prepareCage` and `startCage` do.
   */
  async warm(request: CageRequest): Promise<void> {
    if (this.#options === undefined || this.#isClosed) return;
    const makings = [...this.#makings].filter(isExpected);
    const ofSession = makings.filter((making) => isSameSession(making.request, request));
    if (makings.length >= MAX_EXPECTED || ofSession.length >= MAX_EXPECTED_PER_SESSION) return;
    // Who is expected twice, with the run and with the call, has the workspace looked through once.
    const alike = makings.filter((making) => isAlike(making.request, request));
    if (alike.length >= this.#options.perKey) return;
    await this.#make(request, 'expected');
  }

  /** Resolves when nothing is being made any more that `take` could give to such a request. */
  async ready(request: CageRequest): Promise<void> {
    const wanted = [...this.#makings].filter((making) => isAlike(making.request, request));
    await Promise.all(wanted.map(({ over }) => over));
  }

  /** Resolves when as many are ready as are to be kept. */
  async settled(): Promise<void> {
    while (this.#filling !== undefined) await this.#filling;
  }

  async drain(): Promise<void> {
    this.#kinds.clear();
    await this.settled();
    await Promise.all([...this.#makings].map(({ over }) => over));
    for (const entry of this.#entries) this.#discard(entry);
    await this.#workshop.afterwards.settled();
    this.#workshop.mountPoints.clear();
  }

  /** Whatever is asked for later is made for its command alone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.drain();
  }

  #keyOf({ request, workspace, outline, digest }: Site): string {
    const bwrap = identifyBwrap(this.#workshop.bwrap);
    return likenessKey({ request, workspace, plan: outline, digest, bwrap });
  }

  /** Contract: one for all commands of the kind, as long as it is not forgotten. */
  #remember(key: string, request: CageRequest): Kind {
    const now = { request: cageParts(request), usedAt: performance.now() };
    const kind = Object.assign(this.#kinds.get(key) ?? now, now);
    this.#kinds.delete(key);
    this.#kinds.set(key, kind);
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size > (this.#options?.total ?? 0) && oldest !== undefined) {
      this.#kinds.delete(oldest);
    }
    return kind;
  }

  /** Of the same user and folder, but from before something changed. */
  #discardStale(request: CageRequest, key: string): void {
    for (const entry of this.#entries) {
      if (entry.key === key || !isReplaced(entry.request, request)) continue;
      this.#kinds.delete(entry.key);
      this.#discard(entry);
    }
  }

  #discard(entry: Entry): void {
    this.#entries.delete(entry);
    clearTimeout(entry.timer);
    this.#end(entry.cage);
  }

  #end(cage: Cage): void {
    this.#workshop.afterwards.add(cage.end());
  }

  /**
   * Contract: `making` is expected, and counted already; `false` when there is no room for it.
   * INVARIANT: nobody's calls that may never run take away what waits behind commands that did.
   */
  #makeRoom({ request }: Making): boolean {
    const total = this.#options?.total ?? 0;
    const isOfSession = (each: Waiting) => isExpected(each) && isSameSession(each.request, request);
    return (
      this.#shrink(MAX_EXPECTED_PER_SESSION, isOfSession) &&
      this.#shrink(Math.min(MAX_EXPECTED, Math.ceil(total / 2)), isExpected) &&
      this.#shrink(total, () => true)
    );
  }

  /** Contract: `false` when there are still more. The oldest goes first. */
  #shrink(most: number, isCounted: (each: Waiting) => boolean): boolean {
    const excess = [...this.#entries, ...this.#makings].filter(isCounted).length - most;
    if (excess <= 0) return true;
    const going = [...this.#entries].filter((entry) => isExpected(entry) && isCounted(entry));
    if (going.length < excess) return false;
    for (const entry of going.slice(0, excess)) this.#discard(entry);
    return true;
  }

  #fillSoon(): void {
    if (this.#filling !== undefined || !this.#isIdle()) return;
    this.#filling = this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  #isIdle(): boolean {
    return this.#options !== undefined && this.#running === 0 && !this.#isClosed;
  }

  async #fill(): Promise<void> {
    // What the last command is answered with goes out first.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let next = this.#next(); next !== undefined && this.#isIdle(); next = this.#next()) {
      const [key, kind] = next;
      try {
        const made = await this.#make(kind.request, 'kept');
        if (made !== key) this.#replace(key, made);
      } catch {
        // The next command of this kind is told why, if it is still so.
        this.#kinds.delete(key);
      }
    }
  }

  /** The workspace has changed since the last command of that kind. */
  #replace(key: string, made: string): void {
    const kind = this.#kinds.get(key);
    this.#kinds.delete(key);
    if (kind !== undefined) this.#kinds.set(made, kind);
  }

  #next(): readonly [string, Kind] | undefined {
    if (this.#options === undefined) return undefined;
    const { perKey, total, maxAgeMs } = this.#options;
    const waiting = [...this.#entries, ...this.#makings];
    const kept = waiting.filter((each) => !isExpected(each)).length;
    if (waiting.length >= total || kept >= total - roomForExpected(total)) return undefined;
    const since = performance.now() - ACTIVE_LIVES * maxAgeMs;
    for (const [key, kind] of [...this.#kinds].toReversed()) {
      if (kind.usedAt < since) this.#kinds.delete(key);
      else if (this.#count(key) < perKey) return [key, kind];
    }
    return undefined;
  }

  /** Those that wait, and those that will. */
  #count(key: string): number {
    return [...this.#entries, ...this.#makings].filter((each) => each.key === key).length;
  }

  /** Contract: gives the key of what was made, or of what there was enough of, or no room for. */
  async #make(request: CageRequest, purpose: Purpose): Promise<string> {
    const over = Promise.withResolvers<void>();
    const making: Making = { request: cageParts(request), purpose, over: over.promise };
    this.#makings.add(making);
    try {
      return await this.#makeIn(making);
    } finally {
      this.#makings.delete(making);
      over.resolve();
    }
  }

  async #makeIn(making: Making): Promise<string> {
    using _turn = await this.#workshop.starts.enter();
    const site = await prepareCage(this.#workshop, making.request);
    const key = this.#keyOf(site);
    if (!this.#isWanted(making, key)) {
      site.leave();
      return key;
    }
    making.key = key;
    const cage = await startCage(this.#workshop, site);
    // What is expected is needed soon: its command ends first.
    if (making.purpose === 'kept') restock(this.#workshop, making.request.limits);
    this.#add({ key, request: making.request, purpose: making.purpose, cage });
    return key;
  }

  /** Whether there is one already comes first: nobody makes room for what is not made. */
  #isWanted(making: Making, key: string): boolean {
    if (this.#isClosed || this.#count(key) >= (this.#options?.perKey ?? 0)) return false;
    return making.purpose === 'kept' || this.#makeRoom(making);
  }

  #add(made: Omit<Entry, 'expiresAt' | 'timer'>): void {
    const maxAgeMs = this.#options?.maxAgeMs ?? DEFAULTS.maxAgeMs;
    const ageMs = isExpected(made) ? Math.min(EXPECTED_AGE_MS, maxAgeMs) : maxAgeMs;
    const timer = setTimeout(() => {
      this.#discard(entry);
      this.#fillSoon();
    }, ageMs).unref();
    const entry = { ...made, expiresAt: performance.now() + ageMs, timer };
    this.#entries.add(entry);
    // Told before anybody has asked it for anything: somebody has ended it.
    void made.cage.waiting.report.then(() => {
      if (this.#entries.has(entry)) this.#discard(entry);
    });
  }
}

type Waiting = Pick<Entry, 'request' | 'purpose'>;

function isExpected({ purpose }: Pick<Waiting, 'purpose'>): boolean {
  return purpose === 'expected';
}

function isSameSession(one: CageRequest, other: CageRequest): boolean {
  return one.principal === other.principal && one.session === other.session;
}

/** Nothing else of a request is kept, least of all its words and its input. */
function cageParts(request: CageRequest): CageRequest {
  const { workspace, egress, limits, principal, session, policySetHash } = request;
  return { workspace, egress, limits, principal, session, policySetHash };
}

/** Whether the same words ask for both. */
function isAlike(one: CageRequest, other: CageRequest): boolean {
  return one.policySetHash === other.policySetHash && isReplaced(one, other);
}

/** Whether only what nobody asks for explains that two are different. */
function isReplaced(old: CageRequest, now: CageRequest): boolean {
  return (
    old.principal === now.principal &&
    old.session === now.session &&
    old.workspace === now.workspace &&
    old.limits.scratchBytes === now.limits.scratchBytes &&
    JSON.stringify(old.egress) === JSON.stringify(now.egress)
  );
}
