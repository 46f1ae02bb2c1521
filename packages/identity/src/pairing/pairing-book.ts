import { create } from '@bufbuild/protobuf';
import type { Clock, EntryDraft } from '@palyra/kernel';
import {
  type Pairing,
  PairingNoteSchema,
  type PairingRecord,
  PairingRecordSchema,
  PairingSecret,
} from '@palyra/protocol';
import { GATEWAY } from '../caller.ts';
import {
  jsonOf,
  type RecordsChange,
  type RecordsPort,
  type RecordWrite,
  retryOnConflict,
  type Row,
  Table,
} from '@palyra/records';
import {
  type PairingKind,
  awaitsDevice,
  expired,
  hasEnded,
  hasTriesLeft,
  isDue,
  replaced,
} from './pairing-state.ts';

/** Of those that have ended so many stay to be looked at; the journal has them all. */
const MAX_ENDED = 64;
/** Forgotten with one new pairing; more than come in at once. */
const FORGOTTEN_AT_ONCE = 8;

/** A pairing as it was read, and what changing it has to expect. */
export interface KeptPairing {
  readonly id: string;
  readonly version: number;
  readonly pairing: Pairing;
  readonly verifiers: Verifiers;
}

export type Verifiers = Pick<PairingRecord, 'pinVerifier' | 'tokenVerifier'>;

/** One step of a pairing, as the journal tells it. */
export interface Step {
  readonly kind: PairingKind;
  readonly actor: string;
  readonly pairing: Pairing;
}

/** The pairings in the store. Every step is one change there, so of two at once one wins. */
export class PairingBook {
  readonly #records: RecordsPort;
  readonly #clock: Clock;
  readonly #table: Table<typeof PairingRecordSchema>;

  constructor({ records, clock }: { readonly records: RecordsPort; readonly clock: Clock }) {
    this.#records = records;
    this.#clock = clock;
    this.#table = new Table(records, 'pairings', () => PairingRecordSchema);
  }

  /** Contract: never one that should have ended by now; that ends here. */
  get(pairingId: string): Promise<KeptPairing | undefined> {
    return retryOnConflict(async () => {
      const row = await this.#table.get(pairingId);
      return row === undefined ? undefined : this.#ended(keptOf(row));
    });
  }

  /** Rises with every step of any of them. */
  revision(): number {
    return this.#table.revision();
  }

  /** The earliest first. Contract: as `get`. */
  async all(): Promise<readonly KeptPairing[]> {
    const kept = (await this.#table.all()).map((row) => keptOf(row));
    const now = this.#clock.now();
    const current: KeptPairing[] = [];
    for (const one of kept) {
      const again = isDue(one.pairing, now) ? await this.get(one.id) : one;
      if (again !== undefined) current.push(again);
    }
    return current;
  }

  /** Contract: CONFLICT when the pairing has changed since it was read; then nothing is written. */
  async move(from: KeptPairing, step: Step, also: RecordsChange = NOTHING): Promise<void> {
    await this.#records.transact({
      writes: [this.#put(from, step.pairing), ...also.writes],
      entries: [...also.entries, entryOf(step)],
    });
  }

  /** Contract: as `move`. */
  end(from: KeptPairing, reason: string): Promise<void> {
    const pairing = expired(from.pairing, reason);
    return this.move(from, { kind: 'pairing.expired', actor: GATEWAY, pairing });
  }

  /** For the change that opens a newer one of the same person. Contract: as `move`. */
  replacement(from: KeptPairing): RecordsChange {
    const pairing = replaced(from.pairing);
    return {
      writes: [this.#put(from, pairing)],
      entries: [entryOf({ kind: 'pairing.expired', actor: GATEWAY, pairing })],
    };
  }

  /** For a pairing that is new: its first record, and the removal of some that ended long ago. */
  addition(
    pairing: Pairing,
    verifiers: Verifiers,
    known: readonly KeptPairing[],
  ): readonly RecordWrite[] {
    const ended = known.filter((one) => hasEnded(one.pairing));
    const surplus = Math.min(Math.max(ended.length + 1 - MAX_ENDED, 0), FORGOTTEN_AT_ONCE);
    const kept = { id: pairing.pairingId, version: 0, pairing, verifiers };
    return [
      this.#put(kept, pairing),
      ...ended.slice(0, surplus).map((one) => this.#table.drop({ ...one, value: undefined })),
    ];
  }

  async #ended(kept: KeptPairing): Promise<KeptPairing | undefined> {
    if (!isDue(kept.pairing, this.#clock.now())) return kept;
    await this.end(kept, kept.pairing.reason);
    const row = await this.#table.get(kept.id);
    return row === undefined ? undefined : keptOf(row);
  }

  #put({ id, version, verifiers }: KeptPairing, pairing: Pairing): RecordWrite {
    // INVARIANT: who can no longer be proven to by a secret keeps nothing to try that secret with.
    const kept = awaitsDevice(pairing) ? usable(pairing, verifiers) : {};
    return this.#table.put(id, create(PairingRecordSchema, { pairing, ...kept }), version);
  }
}

export function entryOf({ kind, actor, pairing }: Step): EntryDraft {
  return {
    kind,
    actor,
    payload: jsonOf(PairingNoteSchema, create(PairingNoteSchema, { pairing })),
  };
}

function usable(pairing: Pairing, verifiers: Verifiers): Partial<Verifiers> {
  const { pinVerifier, tokenVerifier } = verifiers;
  return {
    ...(hasTriesLeft(pairing, PairingSecret.PIN) ? { pinVerifier } : {}),
    ...(hasTriesLeft(pairing, PairingSecret.TOKEN) ? { tokenVerifier } : {}),
  };
}

const NOTHING: RecordsChange = { writes: [], entries: [] };

function keptOf({ id, version, value }: Row<PairingRecord>): KeptPairing {
  const { pairing, pinVerifier, tokenVerifier } = value;
  if (pairing === undefined) throw new TypeError('a stored pairing is empty');
  return { id, version, pairing, verifiers: { pinVerifier, tokenVerifier } };
}
