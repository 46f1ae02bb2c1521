import type { JournalArchived } from '@palyra/protocol';
import { archiveJournal } from './archive-journal.ts';
import { JournalReader } from './journal-reader.ts';
import type { Actor } from './identity/caller.ts';
import type { IdentityPort } from './identity/ports.ts';
import type { GatewayParts } from './parts.ts';
import { Runs } from './run/runs.ts';

/** What every door of Palyra leads to. */
export interface Gateway {
  readonly runs: Runs;
  readonly journal: JournalReader;
  readonly identity: IdentityPort;
  /** Only segments that lie wholly before the sequence; 0 for every sealed one. */
  archiveJournal(before: number, actor: Actor): Promise<JournalArchived>;
}

export function createGateway(parts: GatewayParts): Gateway {
  return {
    runs: new Runs(parts),
    journal: new JournalReader(parts.journal, parts.runs),
    identity: parts.identity,
    archiveJournal: (before, actor) => archiveJournal(parts.journal, before, actor),
  };
}
