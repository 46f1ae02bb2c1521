import { create } from '@bufbuild/protobuf';
import {
  type BudgetLease,
  BudgetLeaseSchema,
  BudgetNoteSchema,
  type DayBudget,
  DayBudgetSchema,
} from '@palyra/protocol';
import { type RecordsPort, type RecordWrite, Table, jsonOf } from '@palyra/records';
import { amountsOf, messageOf } from './amounts.ts';
import { type Account, type Day, type Lease, dayOn } from './ledger.ts';

const GATEWAY = 'gateway';

/** The day of one principal and what some of its runs hold, to be changed and saved together. */
export interface OpenAccounts {
  readonly principal: string;
  readonly days: Versioned<Day>;
  readonly leases: ReadonlyMap<string, Versioned<Lease | undefined>>;
}

interface Versioned<Value> {
  readonly version: number;
  readonly read: Value;
  now: Value;
}

/** Contract: the run is one of those that were opened. */
export function accountOf({ days, leases }: OpenAccounts, runId: string): Account {
  return { day: days.now, lease: leases.get(runId)?.now };
}

export function enter({ days, leases }: OpenAccounts, runId: string, account: Account): void {
  days.now = account.day;
  const lease = leases.get(runId);
  if (lease !== undefined) lease.now = account.lease;
}

/** Where days and leases are kept. */
export class BudgetBooks {
  readonly #records: RecordsPort;
  readonly #days: Table<typeof DayBudgetSchema>;
  readonly #leases: Table<typeof BudgetLeaseSchema>;
  readonly #today: () => string;

  constructor(records: RecordsPort, today: () => string) {
    this.#records = records;
    this.#today = today;
    this.#days = new Table(records, 'day_budgets', () => DayBudgetSchema);
    this.#leases = new Table(records, 'budget_leases', () => BudgetLeaseSchema);
  }

  async open(principal: string, runIds: ReadonlySet<string>): Promise<OpenAccounts> {
    const row = await this.#days.get(principal);
    const known = row === undefined ? undefined : dayOf(row.value);
    const day = dayOn(known, this.#today());
    const leases = new Map<string, Versioned<Lease | undefined>>();
    for (const runId of runIds) {
      const lease = await this.#leases.get(runId);
      const read = lease === undefined ? undefined : leaseOf(lease.value);
      leases.set(runId, { version: lease?.version ?? 0, read, now: read });
    }
    return { principal, days: { version: row?.version ?? 0, read: day, now: day }, leases };
  }

  /** Contract: rejects with CONFLICT when somebody was faster; nothing is written then. */
  async save({ principal, days, leases }: OpenAccounts): Promise<void> {
    const changed = [...leases].filter(([, { read, now }]) => read !== now);
    if (changed.length === 0) return;
    const { day, spent, held } = days.now;
    const amounts = { day, spent: messageOf(spent), held: messageOf(held) };
    const note = create(BudgetNoteSchema, {
      principal,
      ...amounts,
      runIds: changed.map(([runId]) => runId),
    });
    const payload = jsonOf(BudgetNoteSchema, note);
    await this.#records.transact({
      writes: [
        this.#days.put(principal, create(DayBudgetSchema, amounts), days.version),
        ...changed.map(([runId, lease]) => this.#write(runId, principal, lease)),
      ],
      entries: [{ kind: 'budget.changed', actor: GATEWAY, payload }],
    });
  }

  #write(
    runId: string,
    principal: string,
    { version, now }: Versioned<Lease | undefined>,
  ): RecordWrite {
    if (now === undefined) return this.#leases.drop({ id: runId, version, value: undefined });
    const { day, held, settled } = now;
    const amounts = { held: messageOf(held), settled: messageOf(settled) };
    const row = create(BudgetLeaseSchema, { principal, day, ...amounts });
    return this.#leases.put(runId, row, version);
  }
}

function dayOf({ day, spent, held }: DayBudget): Day {
  return { day, spent: amountsOf(spent), held: amountsOf(held) };
}

function leaseOf({ day, held, settled }: BudgetLease): Lease {
  return { day, held: amountsOf(held), settled: amountsOf(settled) };
}
