import type { Clock, Ids, Turns } from '@palyra/kernel';
import type { Books } from './books.ts';
import type { PeoplePort, WorkspacePort } from './ports.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** What every part of this box works with. */
export interface Parts {
  readonly books: Books;
  readonly room: WaitingRoom;
  /** For whatever reads many questions. */
  readonly turns: Turns;
  readonly people: PeoplePort;
  readonly workspace: WorkspacePort;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Whose doing something is that nobody in particular did. */
export const GATEWAY = 'gateway';
