import type { Clock, Ids, Log } from '@palyra/kernel';
import type { RecordsPort } from '@palyra/records';
import type { Tables } from '../registry/tables.ts';
import type { Purpose } from './challenge.ts';
import type { Showing } from './confirm.ts';
import type { ConsoleVisit } from './visit.ts';

export interface PasskeysParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export function showingFor(
  { clock, log }: PasskeysParts,
  purpose: Purpose,
  visit: ConsoleVisit,
): Showing {
  return { purpose, visit, now: clock.now(), log };
}
