import { type Clock, PalyraError } from '@palyra/kernel';
import type { RuleSet } from '../model.ts';
import type { RecordsPort, StoredRecord } from '@palyra/records';
import type { Sets } from '../sets/sets.ts';

export interface Shadow {
  readonly policySetHash: string;
  readonly startedAt: Date;
}

export interface StartedShadow extends Shadow {
  /** The hash of the one that ended with it; `undefined` when there was none. */
  readonly replaced: string | undefined;
}

export interface ShadowParts {
  readonly records: RecordsPort;
  readonly sets: Pick<Sets, 'keep'>;
  readonly clock: Clock;
}

const TABLE = 'policy_shadow';
const ID = 'shadow';

/** The candidate that is tried beside the rules in force; kept, so that a restart does not end it. */
export class ShadowRecord {
  readonly #records: RecordsPort;
  readonly #sets: Pick<Sets, 'keep'>;
  readonly #clock: Clock;

  constructor({ records, sets, clock }: ShadowParts) {
    this.#records = records;
    this.#sets = sets;
    this.#clock = clock;
  }

  async get(): Promise<Shadow | undefined> {
    const stored = await this.#records.get(TABLE, ID);
    return stored === undefined ? undefined : shadowIn(stored);
  }

  /** In place of an earlier one. Its rules are kept with it, for as long as anybody asks about it. */
  async start(set: RuleSet, actor: string): Promise<StartedShadow> {
    const stored = await this.#records.get(TABLE, ID);
    const startedAt = this.#clock.now();
    const body = { policySetHash: set.hash, startedAt: startedAt.toISOString() };
    await this.#sets.keep(
      set,
      { kind: 'shadow.started', actor, payload: { candidateHash: set.hash } },
      [{ table: TABLE, id: ID, expectedVersion: stored?.version ?? 0, body }],
    );
    const replaced = stored === undefined ? undefined : shadowIn(stored).policySetHash;
    return { policySetHash: set.hash, startedAt, replaced };
  }

  /** Contract: NOT_FOUND when there is none. */
  async stop(actor: string): Promise<Shadow> {
    const stored = await this.#records.get(TABLE, ID);
    if (stored === undefined) {
      throw new PalyraError('NOT_FOUND', 'no candidate is tried as a shadow', {
        help: 'start one with `palyra policy shadow start`',
      });
    }
    await this.#records.transact({
      writes: [{ table: TABLE, id: ID, expectedVersion: stored.version, body: undefined }],
      entries: [{ kind: 'shadow.stopped', actor, payload: {} }],
    });
    return shadowIn(stored);
  }
}

function shadowIn({ body }: StoredRecord): Shadow {
  const { policySetHash, startedAt } = body;
  const start = new Date(typeof startedAt === 'string' ? startedAt : '');
  if (typeof policySetHash === 'string' && !Number.isNaN(start.getTime())) {
    return { policySetHash, startedAt: start };
  }
  throw new PalyraError('JOURNAL_CORRUPT', 'the record of the shadow cannot be read');
}
