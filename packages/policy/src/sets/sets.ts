import { type Clock, type EntryDraft, type Log, PalyraError } from '@palyra/kernel';
import type { Compiled, Mode, PolicyFile, Problem, RuleSet } from '../model.ts';
import type { RecordWrite, RecordsPort } from '../ports.ts';
import { SCHEMA_TEXT, builtInFiles } from './built-in.ts';
import type { KnownTools } from './check-rule.ts';
import type { Occasion } from './entries.ts';
import { type InForce, ForceHolder } from './force-holder.ts';
import { KeptSets } from './kept-sets.ts';
import { replaceOperatorFiles } from './operator-directory.ts';
import { invalid } from './problems.ts';
import { type PolicyDirs, layerProblems, readLayers } from './read-layers.ts';
import { SetMaker } from './set-maker.ts';
import { setHash } from './set-hash.ts';
import { LayerWatch } from './watch.ts';

export interface SetsOptions {
  readonly dirs: PolicyDirs;
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: Mode;
  readonly tools: KnownTools;
}

export interface Reloaded {
  readonly changed: boolean;
  readonly problems: readonly Problem[];
}

/** The rules of a gateway: those in force, those of earlier days, and how they change. */
export interface Sets extends AsyncDisposable {
  /**
   * Reads the layers, puts a set in force and begins to watch. Contract: called once, when the
   * store is open. Whatever is wrong with files, a set is in force afterwards: the last one that
   * was, or, when none ever was, the closed one.
   */
  start(): Promise<void>;
  /** Contract: `undefined` only before `start` has ended. */
  inForce(): InForce | undefined;
  /** What was refused when the files were last read; empty when that went well. */
  problems(): readonly Problem[];
  /** One more whenever another set comes into force. */
  revision(): number;
  onChange(listener: (inForce: InForce) => void): () => void;
  /** Any set that was ever in force or kept, and the candidates of late. */
  find(hash: string): Promise<RuleSet | undefined>;
  /** Keeps a candidate for ever, together with the entry that tells why and what goes with it. */
  keep(set: RuleSet, entry: EntryDraft, writes?: readonly RecordWrite[]): Promise<void>;
  /** Reads the layers again. What is refused leaves the old set in force. */
  reload(actor: string): Promise<Reloaded>;
  /** The set with these files as the operator's layer; nothing changes. */
  compileCandidate(files: readonly PolicyFile[]): Promise<Compiled>;
  /** As `compileCandidate`. Contract: POLICY_INVALID, which names the first mistakes. */
  candidate(files: readonly PolicyFile[]): Promise<RuleSet>;
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
/** Editors write in several steps. */
const SETTLE_MS = 100;
/** A watch may miss a change. */
const LOOK_MS = 30_000;

/** In the place of rules that cannot be read: a workspace may forbid anything, so this is one. */
const UNREADABLE_WORKSPACE: PolicyFile = {
  layer: 'workspace',
  name: 'unreadable-workspace.cedar',
  text: `@id("unreadable-workspace-does-nothing")
@says("the rules of the workspace cannot be read, so nothing is done in it")
forbid (principal, action in Action::"act", resource);
`,
};

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
  /** What was read last, so that nothing is done about the same files again. */
  #seen: string | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | undefined;
  #isApplying = false;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: SetsOptions) {
    const { dirs, records, clock, log, mode, tools } = options;
    this.#options = options;
    this.#kept = new KeptSets(records);
    this.#maker = new SetMaker({ kept: this.#kept, tools, signal: this.#ending.signal });
    this.#holder = new ForceHolder({ kept: this.#kept, maker: this.#maker, clock, log, mode });
    this.#watch = new LayerWatch(dirs, { tell: () => this.#settle(), log });
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
    this.#settle();
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

  keep(set: RuleSet, entry: EntryDraft, writes: readonly RecordWrite[] = []): Promise<void> {
    return this.#kept.keep(set, entry, writes);
  }

  reload(actor: string): Promise<Reloaded> {
    return this.#request({ cause: 'reload', actor });
  }

  async compileCandidate(files: readonly PolicyFile[]): Promise<Compiled> {
    const { admin, workspace } = this.#options.dirs;
    const own = files.map(({ name, text }) => ({ layer: 'operator', name, text }) as const);
    const others = readLayers({
      ...(admin === undefined ? {} : { admin }),
      ...(workspace === undefined ? {} : { workspace }),
    });
    const problems = [...others.problems, ...layerProblems(own)];
    if (problems.length > 0) return { kind: 'refused', problems };
    return this.#maker.make(this.#texts([...others.files, ...own]));
  }

  async candidate(files: readonly PolicyFile[]): Promise<RuleSet> {
    const compiled = await this.compileCandidate(files);
    if (compiled.kind === 'refused') throw invalid(compiled.problems);
    return compiled.set;
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
    clearTimeout(this.#settling);
    this.#watch[Symbol.dispose]();
    this.#ending.abort(new PalyraError('SHUTTING_DOWN', 'the gateway is stopping'));
    await this.#queue;
  }

  async #apply(files: readonly PolicyFile[], over: string, occasion: Occasion): Promise<RuleSet> {
    const { operator } = this.#options.dirs;
    if (operator === undefined)
      throw new PalyraError('NOT_FOUND', 'there is no place for policies');
    if (this.#holder.inForce?.set.hash !== over) throw elsewhere();
    const set = await this.candidate(files);
    replaceOperatorFiles(operator, files);
    const { problems } = await this.#load(occasion);
    if (problems.length > 0) throw invalid(problems);
    if (this.#holder.inForce?.set.hash !== set.hash) throw elsewhere();
    return set;
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
    const { files, problems } = readLayers(this.#options.dirs);
    const texts = this.#texts(files);
    const hash = setHash(texts);
    const seen = `${hash} ${JSON.stringify(problems)}`;
    if (seen === this.#seen && occasion.cause === 'file change') {
      return { changed: false, problems: this.#holder.problems };
    }
    const before = this.#holder.revision;
    const compiled: Compiled =
      problems.length > 0 ? { kind: 'refused', problems } : await this.#maker.make(texts, hash);
    const spared = await this.#withoutWorkspace(compiled, files);
    if (spared === undefined) await this.#holder.take(compiled, occasion);
    else await this.#holder.takeInstead(spared.set, spared.problems, occasion);
    this.#seen = seen;
    return { changed: this.#holder.revision !== before, problems: this.#holder.problems };
  }

  /**
   * A workspace is not to be trusted, and must not keep people's own rules from coming into force:
   * when nothing but its files is wrong, its earlier ones count, or, without any, it may do nothing.
   */
  async #withoutWorkspace(
    compiled: Compiled,
    files: readonly PolicyFile[],
  ): Promise<{ readonly set: RuleSet; readonly problems: readonly Problem[] } | undefined> {
    if (compiled.kind === 'compiled') return undefined;
    const { problems } = compiled;
    if (problems.some(({ layer }) => layer !== 'workspace')) return undefined;
    const earlier = this.#holder.inForce?.set.files.filter(({ layer }) => layer === 'workspace');
    const others = files.filter(({ layer }) => layer !== 'workspace');
    const instead = await this.#maker.make(
      this.#texts([...others, ...(earlier ?? [UNREADABLE_WORKSPACE])]),
    );
    return instead.kind === 'compiled' ? { set: instead.set, problems } : undefined;
  }

  #texts(files: readonly PolicyFile[]) {
    const { mode } = this.#options;
    return { mode, schema: SCHEMA_TEXT, files: [...builtInFiles(mode), ...files] };
  }

  #settle(): void {
    if (this.#ending.signal.aborted) return;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#look();
    }, SETTLE_MS).unref();
  }

  #look(): void {
    this.#watch.refresh();
    this.#request(FILE_CHANGE).catch((error: unknown) => {
      if (this.#ending.signal.aborted) return;
      this.#options.log.error('the rules could not be read again', describe(error));
    });
  }
}

function elsewhere(): PalyraError {
  return new PalyraError('CONFLICT', 'the rules were changed by somebody else in the meantime');
}

function describe(error: unknown) {
  const { code, message } = PalyraError.from(error);
  return { code, reason: message };
}
