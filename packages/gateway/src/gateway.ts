import { JournalReader } from './journal-reader.ts';
import type { GatewayParts } from './parts.ts';
import { Runs } from './run/runs.ts';

/** What every door of Palyra leads to. */
export interface Gateway {
  readonly runs: Runs;
  readonly journal: JournalReader;
}

export function createGateway(parts: GatewayParts): Gateway {
  return { runs: new Runs(parts), journal: new JournalReader(parts.journal) };
}
