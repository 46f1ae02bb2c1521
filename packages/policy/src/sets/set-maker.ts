import { PalyraError } from '@palyra/kernel';
import type { Compiled, RuleSet } from '../model.ts';
import { runPolicyJob } from '../worker/run-job.ts';
import { builtInFiles } from './built-in.ts';
import { builtInSet } from './built-in-set.ts';
import type { KnownTools } from './check-rule.ts';
import type { KeptSet, KeptSets } from './kept-sets.ts';
import { compilePrepared } from './prepared-rules.ts';
import { type SetTexts, setHash } from './set-hash.ts';

/** A thread that takes longer than this hangs. */
const LIMIT_MS = 60_000;
/** Whoever compares or applies names the same few again. */
const MAX_RECENT = 4;

export interface SetMakerParts {
  readonly kept: KeptSets;
  readonly tools: KnownTools;
  readonly signal: AbortSignal;
}

/** Makes sets of texts, with as little work as it takes: Cedar is asked last, in a thread. */
export class SetMaker {
  readonly #parts: SetMakerParts;
  readonly #recent = new Map<string, RuleSet>();
  /** Apart from those: nobody has looked whether what they name still exists. */
  readonly #earlier = new Map<string, RuleSet>();
  #thread: Promise<unknown> = Promise.resolve();

  constructor(parts: SetMakerParts) {
    this.#parts = parts;
  }

  /** For texts of today, with the built-in files: what they name must exist. */
  async make(texts: SetTexts, hash = setHash(texts)): Promise<Compiled> {
    const { tools, kept } = this.#parts;
    const recent = this.#recent.get(hash);
    if (recent !== undefined) return { kind: 'compiled', set: recent };
    const compiled = builtIn(texts, tools) ?? this.#fromKept(await kept.find(hash), tools);
    return remembered(compiled ?? (await this.#inThread(texts, tools)), this.#recent);
  }

  /** For texts that were in force once. Contract: `undefined` when they cannot be any more. */
  async remake(hash: string): Promise<RuleSet | undefined> {
    const before = this.#recent.get(hash) ?? this.#earlier.get(hash);
    if (before !== undefined) return before;
    const kept = await this.#parts.kept.find(hash);
    if (kept === undefined) return undefined;
    const made = this.#fromKept(kept) ?? (await this.#inThread(kept));
    const compiled = remembered(made, this.#earlier);
    return compiled.kind === 'compiled' ? compiled.set : undefined;
  }

  #fromKept(kept: KeptSet | undefined, tools?: KnownTools): Compiled | undefined {
    if (kept?.prepared === undefined) return undefined;
    return compilePrepared(kept.files, kept.prepared, optionsOf(kept, tools));
  }

  /** One after the other: each takes tens of megabytes while it works. */
  #inThread(texts: SetTexts, tools?: KnownTools): Promise<Compiled> {
    const { signal } = this.#parts;
    const work = () => {
      const batch = { files: texts.files, options: optionsOf(texts, tools) };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
      return runPolicyJob('compile', { init: undefined, batch }, limit);
    };
    const result = this.#thread.then(work, work);
    this.#thread = result;
    return result.catch((error: unknown) => {
      throw new PalyraError('UNEXPECTED', 'the rules could not be looked at', { cause: error });
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

function optionsOf({ mode, schema }: SetTexts, tools: KnownTools | undefined) {
  return { mode, schema, ...(tools === undefined ? {} : { tools }) };
}
