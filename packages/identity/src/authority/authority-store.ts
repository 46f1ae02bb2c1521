import { create } from '@bufbuild/protobuf';
import { type Clock, type EntryDraft, type JournalKind, PalyraError } from '@palyra/kernel';
import {
  type Authority,
  AuthorityNoteSchema,
  AuthoritySchema,
  AuthorityState,
} from '@palyra/protocol';
import type { IdentitySettings } from '../identity-section.ts';
import { jsonOf, type RecordsPort, type Row, Table } from '@palyra/records';
import { authorityKeyName, type LiveAuthority, loadAuthority, makeAuthority } from './authority.ts';
import { type Keyring, type KeyPlaces, openKeyring } from './key-at-rest.ts';
import { isDue, retired, retiring } from './rotation.ts';
import { serverKeyName } from './server-certificate.ts';

export interface StoreParts {
  readonly records: RecordsPort;
  readonly places: KeyPlaces;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
}

/** Who changes something, as the journal names them. */
export interface Actor {
  readonly actor: string;
}

const GATEWAY: Actor = { actor: 'gateway' };
const GENERATION_DIGITS = 6;

/** Contract: rejects with AUTHORITY_UNUSABLE or HOME_UNSAFE; otherwise there is an active one. */
export async function openAuthorityStore(parts: StoreParts): Promise<AuthorityStore> {
  const table = new Table(parts.records, 'authorities', () => AuthoritySchema);
  const rows = await table.all();
  const keyring = openKeyring(parts.places, rows.length === 0 ? 'make' : 'existing');
  const store = new AuthorityStore(parts, table, keyring);
  await store.open();
  return store;
}

/**
 * Keys as files, everything else as records. The key is durable before its record: a crash in
 * between leaves a key that nobody knows, never an authority that cannot sign.
 */
export class AuthorityStore {
  readonly keyring: Keyring;
  readonly #parts: StoreParts;
  readonly #table: Table<typeof AuthoritySchema>;
  /** INVARIANT: as the records have it, oldest first; nobody else writes them. */
  #rows: readonly Row<Authority>[] = [];
  /** INVARIANT: those that are not retired, the active one first. */
  #live: readonly LiveAuthority[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: StoreParts, table: Table<typeof AuthoritySchema>, keyring: Keyring) {
    this.#parts = parts;
    this.#table = table;
    this.keyring = keyring;
  }

  /** Oldest first. */
  get all(): readonly Authority[] {
    return this.#rows.map(({ value }) => value);
  }

  /** Rises with every change of one. */
  get revision(): number {
    return this.#table.revision();
  }

  get live(): readonly LiveAuthority[] {
    return this.#live;
  }

  get active(): LiveAuthority {
    const [active] = this.#live;
    if (active?.row.value.state === AuthorityState.ACTIVE) return active;
    throw new PalyraError('AUTHORITY_UNUSABLE', 'no authority of this gateway is active');
  }

  open(): Promise<void> {
    return this.#alone(async () => {
      await this.#load();
      if (this.#rows.length === 0) await this.#addFirst();
      // A crash after the record and before the files are gone leaves them behind.
      for (const { value } of this.#rows) this.#forgetKeysOf(value);
      await this.#retireDue();
    });
  }

  /** Contract: ROTATION_ACTIVE while the one before has not ended. */
  rotate(actor: Actor): Promise<void> {
    return this.#alone(async () => {
      await this.#retireDue();
      if (this.#live.length > 1) throw rotationActive(this.#live);
      const now = this.#parts.clock.now();
      const { row } = this.active;
      const old = retiring(row.value, now, this.#parts.settings.rotation_days);
      await this.#add(actor, [{ row, next: old, kind: 'authority.retiring' }]);
    });
  }

  /** For when its key was stolen. Contract: NOT_FOUND when none is retiring. */
  endRetiring(actor: Actor): Promise<void> {
    return this.#alone(async () => {
      await this.#retireDue();
      const ending = this.#rows.filter(({ value }) => value.state === AuthorityState.RETIRING);
      if (ending.length === 0) throw noneRetiring();
      await this.#retire(ending, actor);
    });
  }

  /** Cheap when nothing is due. */
  async settle(): Promise<void> {
    if (this.#due().length === 0) return;
    await this.#alone(() => this.#retireDue());
  }

  async #addFirst(): Promise<void> {
    try {
      await this.#add(GATEWAY, []);
    } catch (error) {
      // Somebody else has made the first one in the meantime: then that is ours, too.
      if (!(error instanceof PalyraError) || error.code !== 'CONFLICT') throw error;
      await this.#load();
    }
  }

  async #add(actor: Actor, changes: readonly Change[]): Promise<void> {
    const { clock, settings } = this.#parts;
    const { authority, key } = await makeAuthority(settings.names, clock.now());
    const keyName = authorityKeyName(authority.authorityId);
    this.keyring.add(keyName, key);
    try {
      await this.#write(actor, [
        { row: undefined, next: authority, kind: 'authority.created' },
        ...changes,
      ]);
    } catch (error) {
      // Only a conflict is sure to have written nothing; a key too many is harmless, one missing not.
      if (error instanceof PalyraError && error.code === 'CONFLICT') this.keyring.remove(keyName);
      throw error;
    }
  }

  async #retireDue(): Promise<void> {
    const due = this.#due();
    if (due.length > 0) await this.#retire(due, GATEWAY);
  }

  async #retire(rows: readonly Row<Authority>[], actor: Actor): Promise<void> {
    const changes = rows.map((row): Change => {
      return { row, next: retired(row.value), kind: 'authority.retired' };
    });
    await this.#write(actor, changes);
    for (const { next } of changes) this.#forgetKeysOf(next);
  }

  #due(): readonly Row<Authority>[] {
    const now = this.#parts.clock.now();
    return this.#rows.filter(({ value }) => isDue(value, now));
  }

  /** What has ended must not be able to sign, not even by whoever finds an old disk. */
  #forgetKeysOf({ state, authorityId }: Authority): void {
    if (state !== AuthorityState.RETIRED) return;
    this.keyring.remove(authorityKeyName(authorityId));
    this.keyring.remove(serverKeyName(authorityId));
  }

  async #write(actor: Actor, changes: readonly Change[]): Promise<void> {
    await this.#parts.records.transact({
      writes: changes.map(({ row, next }) =>
        this.#table.put(row?.id ?? this.#nextGeneration(), next, row?.version ?? 0),
      ),
      entries: changes.map((change) => entryOf(change, actor)),
    });
    await this.#load();
  }

  /** Counted, so that of two who add one at the same time the store refuses the second. */
  #nextGeneration(): string {
    const last = Number(this.#rows.at(-1)?.id ?? 0);
    return String(last + 1).padStart(GENERATION_DIGITS, '0');
  }

  async #load(): Promise<void> {
    const rows = await this.#table.all();
    const known = new Map(this.#live.map((live) => [live.authorityId, live]));
    const load = (row: Row<Authority>): LiveAuthority => {
      const live = known.get(row.value.authorityId);
      return live === undefined ? loadAuthority(row, this.keyring) : { ...live, row };
    };
    const inState = (wanted: AuthorityState) =>
      rows.filter(({ value }) => value.state === wanted).map(load);
    this.#live = [...inState(AuthorityState.ACTIVE), ...inState(AuthorityState.RETIRING)];
    this.#rows = rows;
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    // The next one's turn comes however this one ended; its caller hears of that.
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

interface Change {
  /** Absent for one that is added. */
  readonly row: Row<Authority> | undefined;
  readonly next: Authority;
  readonly kind: Extract<JournalKind, `authority.${string}`>;
}

function entryOf({ kind, next }: Change, { actor }: Actor): EntryDraft {
  const note = create(AuthorityNoteSchema, { authority: next });
  return { kind, actor, payload: jsonOf(AuthorityNoteSchema, note) };
}

function noneRetiring(): PalyraError {
  return new PalyraError('NOT_FOUND', 'no authority is retiring', {
    help: 'replace the active one first with `palyra identity rotate-ca`',
  });
}

function rotationActive(live: readonly LiveAuthority[]): PalyraError {
  const until = live.at(-1)?.row.value.retiresAt ?? '';
  return new PalyraError('ROTATION_ACTIVE', `the authority is being replaced until ${until}`);
}
