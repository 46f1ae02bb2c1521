import { type Clock, type Log, PalyraError } from '@palyra/kernel';
import type { Compiled, Mode, Problem, RuleSet } from '../model.ts';
import { SCHEMA_TEXT, builtInFiles } from './built-in.ts';
import { builtInSet } from './built-in-set.ts';
import { type Occasion, changedEntry, refusedEntry } from './entries.ts';
import type { KeptSets } from './kept-sets.ts';
import type { SetMaker } from './set-maker.ts';
import { setHash } from './set-hash.ts';

export interface InForce {
  readonly set: RuleSet;
  readonly changedAt: Date;
}

export interface ForceHolderParts {
  readonly kept: KeptSets;
  readonly maker: SetMaker;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: Mode;
}

/** Which set is in force. It changes in the store first, with the entry that tells of it. */
export class ForceHolder {
  readonly #parts: ForceHolderParts;
  readonly #listeners = new Set<(inForce: InForce) => void>();
  #inForce: InForce | undefined;
  #problems: readonly Problem[] = [];
  #revision = 0;
  /** The same refusal is told once, however often the files are read. */
  #told: string | undefined;

  constructor(parts: ForceHolderParts) {
    this.#parts = parts;
  }

  get inForce(): InForce | undefined {
    return this.#inForce;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  get revision(): number {
    return this.#revision;
  }

  onChange(listener: (inForce: InForce) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Contract: rejects when the store refuses; then the old set stays, and nothing was told. */
  async take(compiled: Compiled, occasion: Occasion): Promise<void> {
    switch (compiled.kind) {
      case 'compiled':
        await this.#accept(compiled.set, occasion);
        this.#problems = [];
        this.#told = undefined;
        break;
      case 'refused':
        if (this.#inForce === undefined) await this.#fallBack(occasion);
        this.#problems = compiled.problems;
        await this.#tell(compiled.problems, occasion);
        break;
    }
  }

  /** Puts a set in force in the place of one that was refused. Contract: as `take`. */
  async takeInstead(set: RuleSet, problems: readonly Problem[], occasion: Occasion): Promise<void> {
    await this.#accept(set, occasion);
    this.#problems = problems;
    await this.#tell(problems, occasion);
  }

  /** When not even the store can be asked: only what it takes to mend things is allowed. */
  close(): void {
    if (this.#inForce !== undefined) return;
    this.#put({ set: closedSet(), changedAt: this.#parts.clock.now() });
  }

  async #accept(set: RuleSet, occasion: Occasion): Promise<void> {
    if (this.#inForce?.set.hash === set.hash) return;
    const { kept, clock, log } = this.#parts;
    const active = await kept.active();
    if (active?.hash === set.hash) {
      this.#put({ set, changedAt: new Date(active.changedAt) });
      return;
    }
    const changedAt = clock.now();
    const entry = changedEntry(set, active?.hash ?? '', occasion);
    await kept.activate(set, { changedAt: changedAt.toISOString(), entry });
    this.#put({ set, changedAt });
    const { hash, mode, rules } = set;
    log.info('policy changed', {
      policySetHash: hash,
      mode,
      rules: rules.length,
      cause: occasion.cause,
    });
  }

  async #tell(problems: readonly Problem[], occasion: Occasion): Promise<void> {
    const told = JSON.stringify(problems);
    if (told === this.#told) return;
    const { kept, clock, log } = this.#parts;
    const entry = refusedEntry(problems, this.#inForce?.set.hash ?? '', occasion);
    await kept.noteRefusal(clock.now().toISOString(), entry);
    this.#told = told;
    const { layer, file, line, reason } = problems[0] ?? {};
    log.warn('policy refused', { problems: problems.length, layer, file, line, reason });
  }

  /** At a start with files that cannot be taken: as near to what was in force as there is. */
  async #fallBack(occasion: Occasion): Promise<void> {
    await this.#accept((await this.#lastRules()) ?? closedSet(), occasion);
  }

  /** The rules that people had, under the mode and the built-in rules of now; else as they were. */
  async #lastRules(): Promise<RuleSet | undefined> {
    const { kept, maker, mode } = this.#parts;
    const active = await kept.active();
    const last = active === undefined ? undefined : await kept.find(active.hash);
    if (last === undefined || last.mode === 'closed') return undefined;
    const people = last.files.filter(({ layer }) => layer !== 'built-in');
    const texts = { mode, schema: SCHEMA_TEXT, files: [...builtInFiles(mode), ...people] };
    if (setHash(texts) === last.hash) return maker.remake(last.hash);
    const compiled = await maker.make(texts);
    return compiled.kind === 'compiled' ? compiled.set : maker.remake(last.hash);
  }

  #put(inForce: InForce): void {
    this.#inForce = inForce;
    this.#revision += 1;
    for (const listener of this.#listeners) listener(inForce);
  }
}

/** Without the tools that it names, if any: they are no reason to allow more. */
function closedSet(): RuleSet {
  const compiled = builtInSet('closed');
  if (compiled?.kind === 'compiled') return compiled.set;
  throw new PalyraError('UNEXPECTED', 'the built-in rules do not fit one another');
}
