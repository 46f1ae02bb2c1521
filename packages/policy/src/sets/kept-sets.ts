import {
  type JsonObject,
  type Json,
  PalyraError,
  isJsonObject,
  type EntryDraft,
} from '@palyra/kernel';
import { LAYERS, MODES, type ModeInForce, type PolicyFile, type RuleSet } from '../model.ts';
import type { RecordsPort, RecordWrite } from '../ports.ts';
import { type PreparedRules, isPrepared, preparedOf } from './prepared-rules.ts';
import { SCHEMA_TEXT } from './built-in.ts';
import { type SetTexts, setHash } from './set-hash.ts';

const SETS = 'policy_sets';
const STATE = 'policy_state';
const ACTIVE = 'active';
const REFUSAL = 'refusal';
const ATTEMPTS = 8;
/** Beyond this, in characters, Cedar shall look again rather than the store keep it all. */
const MAX_PREPARED = 1024 * 1024;

/** A set as the store has it: its texts, and what Cedar made of them unless that is too much. */
export interface KeptSet extends SetTexts {
  readonly hash: string;
  readonly prepared?: PreparedRules;
}

/** Which set is in force, and since when. */
export interface Active {
  readonly hash: string;
  readonly changedAt: string;
}

/** Sets by their hash, for ever: a decision of years ago can be explained with its rules. */
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
    const prepared: unknown = record?.body['prepared'];
    return { hash, ...texts, ...(isPrepared(prepared) ? { prepared } : {}) };
  }

  /** Keeps a set that is not in force, with the entry that tells why and what else goes with it. */
  keep(set: RuleSet, entry: EntryDraft, others: readonly RecordWrite[] = []): Promise<void> {
    return this.#transact(entry, async () => [...others, await this.#setWrite(set)]);
  }

  /** Keeps a set and says that it is in force: both, and the entry, or nothing. */
  activate(
    set: RuleSet,
    { changedAt, entry }: { readonly changedAt: string; readonly entry: EntryDraft },
  ): Promise<void> {
    return this.#transact(entry, async () => [
      await this.#setWrite(set),
      await this.#stateWrite(ACTIVE, { hash: set.hash, changedAt }),
    ]);
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
  if (setHash(texts) !== set.hash) return undefined;
  // Through text, since only that is certainly JSON.
  const text = JSON.stringify(preparedOf(set));
  if (text.length > MAX_PREPARED) return texts;
  const prepared: unknown = JSON.parse(text);
  return isJsonObject(prepared) ? { ...texts, prepared } : texts;
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
