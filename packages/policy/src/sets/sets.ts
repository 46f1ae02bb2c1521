import { isDeepStrictEqual } from 'node:util';
import { type Clock, type EntryDraft, type Log, PalyraError } from '@palyra/kernel';
import type { Compiled, Mode, PolicyFile, Problem, RuleSet } from '../model.ts';
import type { RecordWrite, RecordsPort } from '@palyra/records';
import type { KnownTools } from './check-rule.ts';
import type { Occasion } from './entries.ts';
import { type InForce, ForceHolder } from './force-holder.ts';
import { KeptSets } from './kept-sets.ts';
import { replaceOperatorFiles } from './operator-directory.ts';
import { invalid } from './problems.ts';
import { type LayerReading, type PolicyDirs, layerProblems, readLayers } from './read-layers.ts';
import { SetComposer } from './set-composer.ts';
import type { Compilers, Lane } from './compilers.ts';
import { SetMaker } from './set-maker.ts';
import { Settling } from './settling.ts';
import { LayerWatch } from './watch.ts';

export interface SetsOptions {
  readonly dirs: PolicyDirs;
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: Mode;
  readonly tools: KnownTools;
  readonly compilers: Compilers;
}

export interface Reloaded {
  readonly changed: boolean;
  readonly problems: readonly Problem[];
}

/** The rules of a gateway: those in force, those of earlier days, and how they change. */
export interface Sets extends AsyncDisposable {
  /**
   * Reads the layers, puts a set in force and begins to watch. Contract: called once, when the
   * store is open. Whatever is wrong with files, a set is in force afterwards: the last rules that
   * people had, under today's mode, or, when there are none that fit, the closed one.
   */
  start(): Promise<void>;
  /** Contract: `undefined` only before `start` has ended. */
  inForce(): InForce | undefined;
  /** What was refused when the files were last read; empty when that went well. */
  problems(): readonly Problem[];
  /** One more whenever another set comes into force. */
  revision(): number;
  onChange(listener: (inForce: InForce) => void): () => void;
  /** Any set that decided a call or is kept, and the candidates of late. */
  find(hash: string): Promise<RuleSet | undefined>;
  /** Those that begin so. Contract: not all of them, but more than one if there are more. */
  hashesLike(prefix: string): Promise<readonly string[]>;
  /** Contract: called before a decision with this set is told to anybody. */
  noteUse(hash: string): void;
  /** Keeps a candidate for ever, together with the entry that tells why and what goes with it. */
  keep(set: RuleSet, entry: EntryDraft, writes?: readonly RecordWrite[]): Promise<void>;
  /**
   * Reads the layers again. What is refused leaves the old set in force; what is wrong with a
   * workspace alone is told, and keeps nothing else out.
   */
  reload(actor: string): Promise<Reloaded>;
  /** The set with these files as the operator's layer, as a reload would make it; nothing changes. */
  compileCandidate(files: readonly PolicyFile[]): Promise<Compiled>;
  /** As `compileCandidate`. Contract: POLICY_INVALID, which names the first mistakes. */
  candidate(files: readonly PolicyFile[], lane?: Lane): Promise<RuleSet>;
  /**
   * Makes these files the operator's layer. Contract: CONFLICT when the set named by `over` is not
   * in force, or somebody else changes files meanwhile; POLICY_INVALID as above, and then nothing
   * was written.
   */
  apply(
    files: readonly PolicyFile[],
    change: { readonly over: string; readonly actor: string },
  ): Promise<RuleSet>;
}

export function createSets(options: SetsOptions): Sets {
  return new PolicySets(options);
}

/** Nobody: the gateway itself, on its own account. */
const SYSTEM = 'system';
const FILE_CHANGE: Occasion = { cause: 'file change', actor: SYSTEM };
/** A watch may miss a change. */
const LOOK_MS = 30_000;

interface Waiting {
  occasion: Occasion;
  readonly done: Promise<Reloaded>;
}

class PolicySets implements Sets {
  readonly #options: SetsOptions;
  readonly #ending = new AbortController();
  readonly #maker: SetMaker;
  readonly #holder: ForceHolder;
  readonly #kept: KeptSets;
  readonly #watch: LayerWatch;
  readonly #composer: SetComposer;
  readonly #settling = new Settling(() => this.#look());
  /** What was read last, so that nothing is done about the same files again. */
  #seen: LayerReading | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | undefined;
  #isApplying = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: SetsOptions) {
    const { dirs, records, clock, log, mode, tools, compilers } = options;
    this.#options = options;
    this.#kept = new KeptSets(records);
    const { signal } = this.#ending;
    this.#maker = new SetMaker({ kept: this.#kept, tools, compilers, signal });
    const [kept, maker] = [this.#kept, this.#maker];
    const composer = new SetComposer({ maker, mode, inForce: () => this.#holder.inForce?.set });
    this.#composer = composer;
    this.#holder = new ForceHolder({ kept, maker, composer, clock, log });
    this.#watch = new LayerWatch(dirs, { tell: (source) => this.#settling.tell(source), log });
  }

  async start(): Promise<void> {
    try {
      await this.#request({ cause: 'start', actor: SYSTEM });
    } catch (error) {
      this.#options.log.error('the rules could not be loaded', describe(error));
      this.#holder.close();
    }
    if (this.#ending.signal.aborted) return;
    this.#watch.refresh();
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
    // Between reading the files and watching them somebody may have written.
    this.#settling.tell('people');
  }

  inForce(): InForce | undefined {
    return this.#holder.inForce;
  }

  problems(): readonly Problem[] {
    return this.#holder.problems;
  }

  revision(): number {
    return this.#holder.revision;
  }

  onChange(listener: (inForce: InForce) => void): () => void {
    return this.#holder.onChange(listener);
  }

  async find(hash: string): Promise<RuleSet | undefined> {
    const current = this.#holder.inForce?.set;
    return current?.hash === hash ? current : this.#maker.remake(hash);
  }

  async hashesLike(prefix: string): Promise<readonly string[]> {
    const current = this.#holder.inForce?.set.hash ?? '';
    const lately = [current, ...this.#maker.hashesLike(prefix)];
    const found = [...lately, ...(await this.#kept.hashesLike(prefix))];
    return [...new Set(found.filter((hash) => hash.startsWith(prefix)))];
  }

  noteUse(hash: string): void {
    this.#holder.noteUse(hash);
  }

  keep(set: RuleSet, entry: EntryDraft, writes: readonly RecordWrite[] = []): Promise<void> {
    return this.#kept.keep(set, entry, writes);
  }

  reload(actor: string): Promise<Reloaded> {
    return this.#request({ cause: 'reload', actor });
  }

  compileCandidate(files: readonly PolicyFile[]): Promise<Compiled> {
    return this.#compileCandidate(files, 'question');
  }

  async candidate(files: readonly PolicyFile[], lane: Lane = 'question'): Promise<RuleSet> {
    return setIn(await this.#compileCandidate(files, lane));
  }

  async apply(
    files: readonly PolicyFile[],
    { over, actor }: { readonly over: string; readonly actor: string },
  ): Promise<RuleSet> {
    if (this.#isApplying) throw new PalyraError('CONFLICT', 'another apply is under way');
    this.#isApplying = true;
    try {
      return await this.#enqueue(() => this.#apply(files, over, { cause: 'apply', actor }));
    } finally {
      this.#isApplying = false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking);
    this.#settling[Symbol.dispose]();
    this.#watch[Symbol.dispose]();
    this.#ending.abort(new PalyraError('SHUTTING_DOWN', 'the gateway is stopping'));
    await this.#queue;
  }

  async #apply(files: readonly PolicyFile[], over: string, occasion: Occasion): Promise<RuleSet> {
    const { operator } = this.#options.dirs;
    if (operator === undefined)
      throw new PalyraError('NOT_FOUND', 'there is no place for policies');
    if (this.#holder.inForce?.set.hash !== over) throw elsewhere();
    const set = setIn(await this.#compileCandidate(files, 'force'));
    replaceOperatorFiles(operator, files);
    const { problems } = await this.#load(occasion);
    // A workspace may have some, and they are no reason against these files.
    const own = problems.filter(({ layer }) => layer !== 'workspace');
    if (own.length > 0) throw invalid(own);
    if (this.#holder.inForce?.set.hash !== set.hash) throw elsewhere();
    return set;
  }

  async #compileCandidate(files: readonly PolicyFile[], lane: Lane): Promise<Compiled> {
    const own = files.map(({ name, text }) => ({ layer: 'operator', name, text }) as const);
    const { operator: _replaced, ...dirs } = this.#options.dirs;
    const others = readLayers(dirs);
    const problems = [...others.problems, ...layerProblems(own)];
    const composed = await this.#composer.compose(
      { files: [...others.files, ...own], problems },
      lane,
    );
    return composed.kind === 'composed' ? { kind: 'compiled', set: composed.set } : composed;
  }

  /** Whoever asks while one waits is served by it: it has not read anything yet. */
  #request(occasion: Occasion): Promise<Reloaded> {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      // A person is named rather than nobody.
      if (waiting.occasion.cause === 'file change') waiting.occasion = occasion;
      return waiting.done;
    }
    const done = this.#enqueue(() => {
      const { occasion: last } = this.#waiting ?? { occasion };
      this.#waiting = undefined;
      return this.#load(last);
    });
    this.#waiting = { occasion, done };
    return done;
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    // The next one waits for the end of this one, not for its success.
    this.#queue = Promise.allSettled([result]);
    return result;
  }

  async #load(occasion: Occasion): Promise<Reloaded> {
    const reading = readLayers(this.#options.dirs);
    if (occasion.cause === 'file change' && isDeepStrictEqual(reading, this.#seen)) {
      return { changed: false, problems: this.#holder.problems };
    }
    const before = this.#holder.revision;
    const composed = await this.#composer.compose(reading, 'force');
    await this.#holder.take(composed, occasion, workspaceOf(reading));
    this.#seen = reading;
    return { changed: this.#holder.revision !== before, problems: this.#holder.problems };
  }

  #look(): void {
    this.#watch.refresh();
    this.#request(FILE_CHANGE).catch((error: unknown) => {
      if (this.#ending.signal.aborted) return;
      this.#options.log.error('the rules could not be read again', describe(error));
    });
  }
}

function setIn(compiled: Compiled): RuleSet {
  if (compiled.kind === 'refused') throw invalid(compiled.problems);
  return compiled.set;
}

/** Contract: `undefined` when its files are not the whole. */
function workspaceOf({ files, problems }: LayerReading): readonly PolicyFile[] | undefined {
  if (problems.some(({ layer }) => layer === 'workspace')) return undefined;
  return files.filter(({ layer }) => layer === 'workspace');
}

function elsewhere(): PalyraError {
  return new PalyraError('CONFLICT', 'the rules were changed by somebody else in the meantime');
}

function describe(error: unknown) {
  const { code, message } = PalyraError.from(error);
  return { code, reason: message };
}
