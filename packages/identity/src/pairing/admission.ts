import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  type FinishPairingResponse,
  FinishPairingResponseSchema,
  type Pairing,
  PairingState,
} from '@palyra/protocol';
import { retryOnConflict } from '@palyra/records';
import type { Candidate, Enrolment } from './enrolment.ts';
import { actorOf, provenDevice } from './exchange.ts';
import type { PairingBook } from './pairing-book.ts';
import { changesOf } from './pairing-changes.ts';
import { awaitsDevice, hasEnded, proven } from './pairing-state.ts';
import type { PairingParts } from './parts.ts';
import { ended } from './refusals.ts';

/** From the proof that a device knows the secret to the answer of a person. */
export class Admission {
  readonly #parts: PairingParts;
  readonly #book: PairingBook;
  readonly #enrolment: Enrolment;

  constructor(parts: PairingParts, book: PairingBook, enrolment: Enrolment) {
    this.#parts = parts;
    this.#book = book;
    this.#enrolment = enrolment;
  }

  async *admit(
    candidate: Candidate,
    pairingId: string,
    signal: AbortSignal,
  ): AsyncGenerator<FinishPairingResponse, undefined> {
    const { expiresAt } = await this.#prove(candidate, pairingId);
    try {
      yield waiting(pairingId, expiresAt);
      await this.#approval(pairingId, signal);
      yield await this.#enrolment.complete(candidate, pairingId);
    } finally {
      await this.#abandon(pairingId);
    }
  }

  #prove({ exchange, agreement }: Candidate, pairingId: string): Promise<Pairing> {
    return retryOnConflict(async () => {
      const kept = await this.#book.get(pairingId);
      if (kept === undefined || !awaitsDevice(kept.pairing)) throw ended();
      const device = provenDevice(exchange, agreement.transcriptHash);
      const pairing = proven(kept.pairing, device, this.#parts.clock.now());
      const actor = actorOf(exchange.whence);
      await this.#book.move(kept, { kind: 'pairing.proven', actor, pairing });
      return pairing;
    });
  }

  /** Contract: PAIRING_REFUSED for a no, PAIRING_ENDED when nobody answered in time. */
  async #approval(pairingId: string, signal: AbortSignal): Promise<void> {
    const parts = { ...this.#parts, book: this.#book };
    for await (const { state } of changesOf(parts, pairingId, signal)) {
      if (state === PairingState.APPROVED) return;
      if (state === PairingState.REJECTED) throw rejected();
    }
    throw ended();
  }

  /** The keys of this exchange go with the connection, so nothing can come of the pairing any more. */
  async #abandon(pairingId: string): Promise<void> {
    try {
      await retryOnConflict(async () => {
        const kept = await this.#book.get(pairingId);
        if (kept === undefined || hasEnded(kept.pairing)) return;
        await this.#book.end(kept, 'the exchange with the device broke off');
      });
    } catch (error) {
      // Its time ends it as well; whoever was waiting must see the first fault, not this one.
      const { code } = PalyraError.from(error);
      this.#parts.log.warn('a pairing could not be ended', { pairingId, code });
    }
  }
}

function waiting(pairingId: string, expiresAt: string): FinishPairingResponse {
  const event = { case: 'waiting', value: { pairingId, expiresAt } } as const;
  return create(FinishPairingResponseSchema, { event });
}

function rejected(): PalyraError {
  return new PalyraError('PAIRING_REFUSED', 'the operator did not confirm this device', {
    help: 'ask whoever runs the gateway, and start again with a new PIN',
  });
}
