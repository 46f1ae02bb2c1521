import {
  type JsonObject,
  type Json,
  PalyraError,
  isJsonObject,
  type EntryDraft,
} from '@palyra/kernel';
import { LAYERS, MODES, type ModeInForce, type PolicyFile, type RuleSet } from '../model.ts';
import type { RecordsPort, RecordWrite, StoredRecord } from '@palyra/records';
import { SCHEMA_TEXT } from './built-in.ts';
import { type SetTexts, setHash } from './set-hash.ts';

const SETS = 'policy_sets';
const STATE = 'policy_state';
const ACTIVE = 'active';
const REFUSAL = 'refusal';
const ATTEMPTS = 8;
const UNUSED = 'policy_unused';
/** So many that decided nothing are kept for whoever wants to go back to one. */
export const MAX_UNUSED_SETS = 1_000;

/** A set as the store has it: nothing but the texts that its hash is of. */
export interface KeptSet extends SetTexts {
  readonly hash: string;
}

/** A record of the store, as somebody wrote it. */
export interface WrittenSet {
  readonly hash: string;
  readonly version: number;
  /** It was not kept before. */
  readonly isNew: boolean;
}

/** Which set is in force, and since when. */
export interface Active {
  readonly hash: string;
  readonly changedAt: string;
}

/**
 * Sets by their hash. INVARIANT: one that decided a call is kept for ever, so that a decision of years
 * ago can be explained with its rules. Of those that surely decided none the oldest are forgotten.
 */
export class KeptSets {
  readonly #records: RecordsPort;

  constructor(records: RecordsPort) {
    this.#records = records;
  }

  async active(): Promise<Active | undefined> {
    const record = await this.#records.get(STATE, ACTIVE);
    const { hash, changedAt } = record?.body ?? {};
    if (typeof hash !== 'string' || typeof changedAt !== 'string') return undefined;
    return { hash, changedAt };
  }

  /** Contract: `undefined` for one that is not kept, or whose texts are not those of its hash. */
  async find(hash: string): Promise<KeptSet | undefined> {
    const record = await this.#records.get(SETS, hash);
    const texts = record === undefined ? undefined : readTexts(record.body);
    if (texts === undefined || setHash(texts) !== hash) return undefined;
    return { hash, ...texts };
  }

  /** Contract: two at the most, so that whoever asks knows whether there is more than one. */
  async hashesLike(prefix: string): Promise<readonly string[]> {
    const records = await this.#records.list(SETS, { after: prefix, limit: 2 });
    return records.map(({ id }) => id).filter((id) => id.startsWith(prefix));
  }

  /** Keeps a set that is not in force, with the entry that tells why and what else goes with it. */
  keep(set: RuleSet, entry: EntryDraft, others: readonly RecordWrite[] = []): Promise<void> {
    return this.#transact(entry, async () => [...others, await this.#setWrite(set)]);
  }

  /**
   * Keeps a set and says that it is in force: both, and the entry, or nothing. `unused` is one that was
   * in force for a while and decided nothing.
   */
  async activate(
    set: RuleSet,
    {
      changedAt,
      entry,
      unused,
    }: {
      readonly changedAt: string;
      readonly entry: EntryDraft;
      readonly unused?: WrittenSet | undefined;
    },
  ): Promise<WrittenSet> {
    let isNew = false;
    await this.#transact(entry, async () => {
      const write = await this.#setWrite(set);
      isNew = write.expectedVersion === 0;
      const state = await this.#stateWrite(ACTIVE, { hash: set.hash, changedAt });
      const forgotten = await this.#forget(changedAt, unused);
      return [write, state, ...forgotten.filter(({ id }) => id !== set.hash)];
    });
    const record = await this.#records.get(SETS, set.hash);
    return { hash: set.hash, version: record?.version ?? 0, isNew };
  }

  /** Notes one that decided nothing and, when there are too many, removes the oldest of them. */
  async #forget(at: string, unused: WrittenSet | undefined): Promise<readonly RecordWrite[]> {
    if (unused === undefined) return [];
    const note: RecordWrite = {
      table: UNUSED,
      id: `${at}/${unused.hash}`,
      expectedVersion: 0,
      body: { hash: unused.hash, version: unused.version },
    };
    if ((await this.#records.count(UNUSED)) < MAX_UNUSED_SETS) return [note];
    const [oldest] = await this.#records.list(UNUSED, { limit: 1 });
    return oldest === undefined ? [note] : [note, ...(await this.#removal(oldest))];
  }

  /** Whoever took it up again wrote its record anew: then it stays, whatever was noted. */
  async #removal({ id, version, body }: StoredRecord): Promise<readonly RecordWrite[]> {
    const note: RecordWrite = { table: UNUSED, id, expectedVersion: version, body: undefined };
    const { hash } = body;
    const set = typeof hash === 'string' ? await this.#records.get(SETS, hash) : undefined;
    if (set === undefined || set.version !== body['version']) return [note];
    return [note, { table: SETS, id: set.id, expectedVersion: set.version, body: undefined }];
  }

  /** Notes when something was refused last, since an entry goes with a record. */
  noteRefusal(at: string, entry: EntryDraft): Promise<void> {
    return this.#transact(entry, async () => [await this.#stateWrite(REFUSAL, { at })]);
  }

  async #setWrite(set: RuleSet): Promise<RecordWrite> {
    const before = await this.#records.get(SETS, set.hash);
    const body = bodyOf(set) ?? before?.body;
    if (body === undefined) throw new PalyraError('UNEXPECTED', 'the texts of a set are not known');
    return { table: SETS, id: set.hash, expectedVersion: before?.version ?? 0, body };
  }

  async #stateWrite(id: string, body: JsonObject): Promise<RecordWrite> {
    const before = await this.#records.get(STATE, id);
    return { table: STATE, id, expectedVersion: before?.version ?? 0, body };
  }

  /** Looks and writes again when somebody else wrote in between. */
  async #transact(entry: EntryDraft, writes: () => Promise<readonly RecordWrite[]>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#records.transact({ writes: await writes(), entries: [entry] });
        return;
      } catch (error) {
        const isConflict = error instanceof PalyraError && error.code === 'CONFLICT';
        if (!isConflict || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Contract: `undefined` for a set of another day's schema, whose text only the store has. */
function bodyOf(set: RuleSet): JsonObject | undefined {
  const texts = {
    mode: set.mode,
    schema: SCHEMA_TEXT,
    files: set.files.map(({ layer, name, text }) => ({ layer, name, text })),
  };
  return setHash(texts) === set.hash ? texts : undefined;
}

function readTexts({ mode, schema, files }: JsonObject): SetTexts | undefined {
  const known = ([...MODES, 'closed'] as const).find((each): each is ModeInForce => each === mode);
  if (known === undefined || typeof schema !== 'string' || !Array.isArray(files)) return undefined;
  const read = files.map(readFile).filter((file) => file !== undefined);
  return read.length === files.length ? { mode: known, schema, files: read } : undefined;
}

function readFile(value: Json): PolicyFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { layer, name, text } = value;
  const known = LAYERS.find((each) => each === layer);
  if (known === undefined || typeof name !== 'string' || typeof text !== 'string') return undefined;
  return { layer: known, name, text };
}
