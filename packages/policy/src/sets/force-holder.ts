import { type Clock, type Log, PalyraError } from '@palyra/kernel';
import type { PolicyFile, Problem, RuleSet } from '../model.ts';
import { builtInSet } from './built-in-set.ts';
import { type Occasion, changedEntry, refusedEntry } from './entries.ts';
import type { KeptSets, WrittenSet } from './kept-sets.ts';
import { UsedSets } from './used-sets.ts';
import type { Composed, SetComposer } from './set-composer.ts';
import type { SetTexts } from './set-hash.ts';
import type { SetMaker } from './set-maker.ts';
import { UNREADABLE_WORKSPACE } from './unreadable-workspace.ts';

export interface InForce {
  readonly set: RuleSet;
  readonly changedAt: Date;
}

export interface ForceHolderParts {
  readonly kept: KeptSets;
  readonly maker: SetMaker;
  readonly composer: SetComposer;
  readonly clock: Clock;
  readonly log: Log;
}

/** Which set is in force. It changes in the store first, with the entry that tells of it. */
export class ForceHolder {
  readonly #parts: ForceHolderParts;
  readonly #used = new UsedSets();
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

  /** A call was decided with it, and the journal will say so. */
  noteUse(hash: string): void {
    this.#used.note(hash);
  }

  onChange(listener: (inForce: InForce) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * `workspace` are its files of now, `undefined` when they cannot be read. Contract: rejects when
   * the store refuses; then the old set stays, and nothing was told.
   */
  async take(
    composed: Composed,
    occasion: Occasion,
    workspace: readonly PolicyFile[] | undefined,
  ): Promise<void> {
    switch (composed.kind) {
      case 'composed':
        await this.#accept(composed.set, occasion);
        break;
      case 'refused':
        if (this.#inForce === undefined) {
          await this.#accept((await this.#lastRules(workspace)) ?? closedSet(), occasion);
        }
        break;
    }
    this.#problems = composed.problems;
    if (composed.problems.length > 0) await this.#tell(composed.problems, occasion);
    else this.#told = undefined;
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
    const unused = this.#used.unused();
    const at = changedAt.toISOString();
    const written: WrittenSet = await kept.activate(set, { changedAt: at, entry, unused });
    this.#used.follow(written);
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

  /**
   * At a start with files that cannot be taken: those that people had, and the workspace of now.
   * INVARIANT: always under the mode and the built-in rules of now, never under older ones.
   */
  async #lastRules(workspace: readonly PolicyFile[] | undefined): Promise<RuleSet | undefined> {
    const { kept, composer } = this.#parts;
    const active = await kept.active();
    const last = active === undefined ? undefined : await kept.find(active.hash);
    if (last === undefined || last.mode === 'closed') return undefined;
    const people = last.files.filter(({ layer }) => layer === 'admin' || layer === 'operator');
    const whole = workspace === undefined ? [] : [[...people, ...workspace]];
    for (const files of [...whole, [...people, UNREADABLE_WORKSPACE]]) {
      const set = await this.#madeAgain(composer.texts(files));
      if (set !== undefined) return set;
    }
    return undefined;
  }

  async #madeAgain(texts: SetTexts): Promise<RuleSet | undefined> {
    const { maker, log } = this.#parts;
    try {
      const compiled = await maker.makeAgain(texts);
      return compiled.kind === 'compiled' ? compiled.set : undefined;
    } catch (error) {
      // What is left is narrower.
      const { code, message } = PalyraError.from(error);
      log.warn('earlier rules could not be looked at', { code, reason: message });
      return undefined;
    }
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
