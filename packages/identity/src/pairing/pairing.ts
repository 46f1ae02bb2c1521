import type {
  BeginPairingRequest,
  BeginPairingResponse,
  FinishPairingRequest,
  FinishPairingResponse,
  Pairing,
} from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { PairingBook } from './pairing-book.ts';
import { type PairingAnswer, PairingDesk, type StartedPairing } from './pairing-desk.ts';
import { PairingDoor } from './pairing-door.ts';
import type { PairingParts, Stranger } from './parts.ts';

/** How a new device becomes known. */
export interface Pairings {
  /** `member` is an id or a name; empty for the caller. */
  start(member: string, caller: Caller): Promise<StartedPairing>;
  list(): Promise<readonly Pairing[]>;
  watch(pairingId: string, signal: AbortSignal): AsyncIterable<Pairing>;
  answer(answer: PairingAnswer, caller: Caller): Promise<Pairing>;
  begin(request: BeginPairingRequest, stranger: Stranger): Promise<BeginPairingResponse>;
  finish(
    request: FinishPairingRequest,
    stranger: Stranger,
    signal: AbortSignal,
  ): AsyncIterable<FinishPairingResponse>;
  /** Ends what is due. Contract: may be called at any time, by several gateways at once. */
  sweep(): Promise<void>;
}

/** Makes the secret of this machine, in a file of its own. Contract: HOME_UNSAFE, AUTHORITY_UNUSABLE. */
export function createPairing(parts: PairingParts): Pairings {
  const book = new PairingBook(parts);
  const desk = new PairingDesk(parts, book);
  const door = new PairingDoor(parts, book);
  return {
    start: (member, caller) => desk.start(member, caller),
    list: () => desk.list(),
    watch: (pairingId, signal) => desk.watch(pairingId, signal),
    answer: (answer, caller) => desk.answer(answer, caller),
    begin: (request, stranger) => door.begin(request, stranger),
    finish: (request, stranger, signal) => door.finish(request, stranger, signal),
    sweep: async () => {
      door.sweep();
      await book.all();
    },
  };
}
