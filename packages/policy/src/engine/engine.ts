import type { CheckParseAnswer, SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { PalyraError } from '@palyra/kernel';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RuleSet } from '../model.ts';
import { type Cedar, ENGINE_VERSION, loadCedar } from './cedar.ts';
import { type LoadedSet, loadedSet } from './loaded-set.ts';
import { type Slot, Slots } from './slots.ts';
import { isProblem } from '../request/problem.ts';
import { type SlowEvaluation, type Stopwatch, threadTime } from './stopwatch.ts';
import { WARM_UP } from './warm-up.ts';

export interface Engine {
  /** As decisions record it, `cedar 4.13.0`. */
  readonly version: string;
  /**
   * Contract: one after another, in the order asked for. `active` leaves the set in force usable
   * until the load after this one; the other slots are overwritten. Rejects with POLICY_INVALID when
   * Cedar does not take the set; whatever is in force stays.
   */
  load(set: RuleSet, slot: Slot): Promise<LoadedSet>;
  /** For a process that does nothing else: what this gives blocks, and may be called any number of times. */
  atOnce(): Promise<LoadAtOnce>;
}

export type LoadAtOnce = (set: RuleSet, slot: Slot) => LoadedSet;

export interface EngineOptions {
  readonly stopwatch?: Stopwatch;
  /** Told of every evaluation that was denied because it took too long. */
  readonly tellSlow?: (slow: SlowEvaluation) => void;
}

/** Nothing is loaded before the first set is: a daemon that decides nothing pays nothing. */
export function createEngine(options: EngineOptions = {}): Engine {
  const loader = new Loader(options);
  let last: Promise<unknown> = Promise.resolve();
  return {
    version: ENGINE_VERSION,
    load: (set, slot) => {
      const loaded = last.then(() => loader.load(set, slot));
      last = Promise.allSettled([loaded]);
      return loaded;
    },
    atOnce: async () => {
      const cedar = await loadCedar();
      return (set, slot) => loader.loadAtOnce(cedar, set, slot);
    },
  };
}

/** A schema is shipped, not written by users: more than a few mean that something is wrong. */
const MAX_SCHEMAS = 16;

class Loader {
  /** Cedar keeps sets by name for a whole thread, so two engines in one must not share names. */
  readonly #name = randomUUID();
  readonly #slots = new Slots(this.#name);
  /** By their text: nearly all sets have the same one, and it costs more than the rules do. */
  readonly #schemaNames = new Map<string, string>();
  readonly #options: EngineOptions;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Each step blocks; between them everybody else has a turn. */
  async load(set: RuleSet, slot: Slot): Promise<LoadedSet> {
    const cedar = await loadCedar();
    await nextTurn();
    const schemaName = this.#prepareSchema(cedar, set.schema);
    await nextTurn();
    const loaded = this.#prepareRules(set, slot, { cedar, schemaName });
    await nextTurn();
    if (!isProblem(WARM_UP)) loaded.evaluate(WARM_UP);
    return loaded;
  }

  loadAtOnce(cedar: Cedar, set: RuleSet, slot: Slot): LoadedSet {
    const schemaName = this.#prepareSchema(cedar, set.schema);
    return this.#prepareRules(set, slot, { cedar, schemaName });
  }

  #prepareRules(
    set: RuleSet,
    slot: Slot,
    { cedar, schemaName }: { readonly cedar: Cedar; readonly schemaName: string },
  ): LoadedSet {
    const place = this.#slots.vacate(slot);
    accept(cedar.preparsePolicySet(place.id, { staticPolicies: policiesOf(set) }));
    const holder = this.#slots.occupy(slot, place);
    const { stopwatch = threadTime, tellSlow = ignore } = this.#options;
    return loadedSet(set, { cedar, place, schemaName, holder, stopwatch, tellSlow });
  }

  #prepareSchema(cedar: Cedar, schema: SchemaJson<string>): string {
    const text = JSON.stringify(schema);
    const known = this.#schemaNames.get(text);
    if (known !== undefined) return known;
    if (this.#schemaNames.size >= MAX_SCHEMAS) {
      throw new PalyraError('OVERLOADED', `more than ${MAX_SCHEMAS} schemas were loaded`);
    }
    const name = `${this.#name}:schema-${this.#schemaNames.size + 1}`;
    accept(cedar.preparseSchema(name, schema));
    this.#schemaNames.set(text, name);
    return name;
  }
}

/** Where the answer itself is all that anybody wants to know. */
function ignore(): void {}

function policiesOf({ rules }: RuleSet) {
  const policies = Object.fromEntries(rules.map(({ id, json }) => [id, json]));
  // One would silently stand for both, and it might be the permit.
  if (Object.keys(policies).length === rules.length) return policies;
  throw new PalyraError('POLICY_INVALID', 'two rules have the same id');
}

function accept(answer: CheckParseAnswer): void {
  if (answer.type === 'success') return;
  const reason = answer.errors[0]?.message ?? 'no reason given';
  throw new PalyraError('POLICY_INVALID', `the engine does not take the rules: ${reason}`);
}
