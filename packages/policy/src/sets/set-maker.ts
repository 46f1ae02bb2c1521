import { PalyraError } from '@palyra/kernel';
import type { Compiled, RuleSet } from '../model.ts';
import { builtInFiles } from './built-in.ts';
import { builtInSet } from './built-in-set.ts';
import type { KnownTools } from './check-rule.ts';
import type { Compilers, Lane } from './compilers.ts';
import type { KeptSet, KeptSets } from './kept-sets.ts';
import { type SetTexts, setHash } from './set-hash.ts';

export interface MakeHow {
  readonly lane: Lane;
  /** `short` for texts that may be made to take long: others wait behind them. */
  readonly patience?: 'short';
}

/** A process that takes longer than this hangs. */
const LIMIT_MS = 60_000;
const SHORT_LIMIT_MS = 20_000;
/** Whoever compares or applies names the same few again. */
const MAX_RECENT = 4;

const ANY_TOOLS: KnownTools = { names: new Set(), prefixes: [''] };

export interface SetMakerParts {
  readonly kept: KeptSets;
  readonly tools: KnownTools;
  readonly compilers: Compilers;
  readonly signal: AbortSignal;
}

/** Makes sets of texts, with as little work as it takes: Cedar is asked last, in a process. */
export class SetMaker {
  readonly #parts: SetMakerParts;
  readonly #recent = new Map<string, RuleSet>();
  /** Apart from those: nobody has looked whether what they name still exists. */
  readonly #earlier = new Map<string, RuleSet>();

  constructor(parts: SetMakerParts) {
    this.#parts = parts;
  }

  /** For texts of today, with the built-in files: what they name must exist. */
  async make(texts: SetTexts, how: MakeHow): Promise<Compiled> {
    const { tools } = this.#parts;
    const hash = setHash(texts);
    const recent = this.#recent.get(hash);
    if (recent !== undefined) return { kind: 'compiled', set: recent };
    const compiled = builtIn(texts, tools) ?? (await this.#inProcess(texts, how, tools));
    return remembered(compiled, this.#recent);
  }

  /**
   * For rules that were in force once, under today's mode and built-in rules: what they name may be
   * gone, and that is no reason to do without them.
   */
  async makeAgain(texts: SetTexts): Promise<Compiled> {
    return await this.#inProcess(texts, { lane: 'force', patience: 'short' }, ANY_TOOLS);
  }

  /**
   * For texts that were in force once. What Cedar made of them then is not kept: nothing but the texts
   * is bound by the hash. Contract: `undefined` when they cannot be in force any more.
   */
  async remake(hash: string): Promise<RuleSet | undefined> {
    const before = this.#recent.get(hash) ?? this.#earlier.get(hash);
    if (before !== undefined) return before;
    const kept = await this.#parts.kept.find(hash);
    if (kept === undefined) return undefined;
    const made = shipped(kept) ?? (await this.#inProcess(kept, { lane: 'question' }));
    const compiled = remembered(made, this.#earlier);
    return compiled.kind === 'compiled' ? compiled.set : undefined;
  }

  /** Of the few that were made lately, kept or not. */
  hashesLike(prefix: string): readonly string[] {
    const hashes = [...this.#recent.keys(), ...this.#earlier.keys()];
    return hashes.filter((hash) => hash.startsWith(prefix));
  }

  async #inProcess(texts: SetTexts, how: MakeHow, tools?: KnownTools): Promise<Compiled> {
    const { lane, patience } = how;
    const isShort = patience === 'short' || lane === 'question';
    const limitMs = isShort ? SHORT_LIMIT_MS : LIMIT_MS;
    const batch = { files: texts.files, options: optionsOf(texts, tools) };
    return await this.#parts.compilers.add(lane, async (compiler) => {
      const limit = AbortSignal.any([this.#parts.signal, AbortSignal.timeout(limitMs)]);
      try {
        return await compiler.compile(batch, limit);
      } catch (error) {
        throw new PalyraError('UNEXPECTED', 'the rules could not be looked at', { cause: error });
      }
    });
  }
}

function remembered(compiled: Compiled, sets: Map<string, RuleSet>): Compiled {
  if (compiled.kind === 'refused') return compiled;
  sets.delete(compiled.set.hash);
  sets.set(compiled.set.hash, compiled.set);
  const [oldest] = sets.keys();
  if (sets.size > MAX_RECENT && oldest !== undefined) sets.delete(oldest);
  return compiled;
}

/** Of texts of today: nothing but what is shipped. */
function builtIn({ mode, files }: SetTexts, tools: KnownTools): Compiled | undefined {
  return files.length === builtInFiles(mode).length ? builtInSet(mode, tools) : undefined;
}

/** Of texts of any day: the same, if these are they. */
function shipped({ mode, hash }: KeptSet): Compiled | undefined {
  const compiled = builtInSet(mode);
  return compiled?.kind === 'compiled' && compiled.set.hash === hash ? compiled : undefined;
}

function optionsOf({ mode, schema }: SetTexts, tools: KnownTools | undefined) {
  return { mode, schema, ...(tools === undefined ? {} : { tools }) };
}
