import type { JournalArchived } from '@palyra/protocol';
import { archiveJournal } from './archive-journal.ts';
import { JournalReader } from './journal-reader.ts';
import type { Caller, GatewayParts } from './parts.ts';
import { Runs } from './run/runs.ts';

/** What every door of Palyra leads to. */
export interface Gateway {
  readonly runs: Runs;
  readonly journal: JournalReader;
  /** Only segments that lie wholly before the sequence; 0 for every sealed one. */
  archiveJournal(before: number, caller: Caller): Promise<JournalArchived>;
}

export function createGateway(parts: GatewayParts): Gateway {
  return {
    runs: new Runs(parts),
    journal: new JournalReader(parts.journal, parts.runs),
    archiveJournal: (before, caller) => archiveJournal(parts.journal, before, caller),
  };
}
