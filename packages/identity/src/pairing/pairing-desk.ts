import { randomInt } from 'node:crypto';
import { PalyraError, quote } from '@palyra/kernel';
import { type Member, type Pairing, PairingState, Role } from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { lineageOf } from '../registry/made.ts';
import { retryOnConflict } from '@palyra/records';
import { makeSecret } from '../registry/secret.ts';
import { actingMember } from '../registry/standing.ts';
import { type KeptPairing, type PairingBook, type Verifiers, entryOf } from './pairing-book.ts';
import { changesOf } from './pairing-changes.ts';
import { type Answer, answered, awaitsDevice, hasEnded, started } from './pairing-state.ts';
import type { PairingParts } from './parts.ts';
import { ended } from './refusals.ts';

const MAX_OPEN = 8;
const PIN_DIGITS = 6;

/**
 * Written with every start, so that starts come one after the other, whichever gateway makes them:
 * otherwise two that count seven would make nine.
 */
const GUARD = { table: 'registry', id: 'pairings' } as const;

export interface StartedPairing {
  readonly pairing: Pairing;
  readonly pin: string;
  /** 256 bits, base64url. */
  readonly token: string;
}

export interface PairingAnswer {
  readonly pairingId: string;
  readonly keyFingerprint: string;
  readonly answer: PairingState;
}

/** The side of the person who lets a device in. */
export class PairingDesk {
  readonly #parts: PairingParts;
  readonly #book: PairingBook;

  constructor(parts: PairingParts, book: PairingBook) {
    this.#parts = parts;
    this.#book = book;
  }

  /** Contract: never for a member who stands above the caller. OVERLOADED when enough are open. */
  async start(member: string, caller: Caller): Promise<StartedPairing> {
    const { userId } = await this.#memberFor(member, caller);
    // Before the costly part, and again below, where it counts.
    checkRoom(roomFor(caller.actor, await this.#book.all()).others);
    const pin = `${randomInt(10 ** PIN_DIGITS)}`.padStart(PIN_DIGITS, '0');
    const token = makeSecret();
    const verifiers = await deriveBoth(pin, token);
    const pairing = await this.#open({ userId, startedBy: caller.actor }, verifiers);
    return { pairing, pin, token };
  }

  /** The earliest first. */
  async list(): Promise<readonly Pairing[]> {
    return (await this.#book.all()).map(({ pairing }) => pairing);
  }

  async *watch(pairingId: string, signal: AbortSignal): AsyncGenerator<Pairing, undefined> {
    await this.#get(pairingId);
    yield* changesOf({ ...this.#parts, book: this.#book }, pairingId, signal);
  }

  async answer(
    { pairingId, keyFingerprint, answer }: PairingAnswer,
    caller: Caller,
  ): Promise<Pairing> {
    const state = answerOf(answer);
    return retryOnConflict(async () => {
      const kept = await this.#get(pairingId);
      await this.#demandOver(kept.pairing, caller);
      if (!isAbandoned(kept.pairing, { keyFingerprint, state })) {
        checkAwaited(kept.pairing, keyFingerprint);
      }
      const said = {
        state,
        answeredBy: caller.actor,
        ...(state === PairingState.APPROVED ? grantOf(caller) : NO_GRANT),
      };
      const pairing = answered(kept.pairing, said, this.#parts.clock.now());
      const kind = state === PairingState.APPROVED ? 'pairing.approved' : 'pairing.rejected';
      await this.#book.move(kept, { kind, actor: caller.actor, pairing });
      return pairing;
    });
  }

  #open(
    start: { readonly userId: string; readonly startedBy: string },
    verifiers: Verifiers,
  ): Promise<Pairing> {
    const { records, ids, clock } = this.#parts;
    return retryOnConflict(async () => {
      const guard = await records.get(GUARD.table, GUARD.id);
      const known = await this.#book.all();
      const { waiting, others } = roomFor(start.startedBy, known);
      checkRoom(others);
      const given = waiting.map((kept) => this.#book.replacement(kept));
      const pairing = started({ ...start, pairingId: ids.next<'pairing'>() }, clock.now());
      const body = { started: pairing.pairingId };
      const turn = { ...GUARD, expectedVersion: guard?.version ?? 0, body };
      await records.transact({
        writes: [
          turn,
          ...this.#book.addition(pairing, verifiers, known),
          ...given.flatMap(({ writes }) => writes),
        ],
        entries: [
          entryOf({ kind: 'pairing.started', actor: start.startedBy, pairing }),
          ...given.flatMap(({ entries }) => entries),
        ],
      });
      return pairing;
    });
  }

  async #memberFor(member: string, caller: Caller): Promise<Member> {
    const whom = member === '' ? actingMember(caller).userId : member;
    const found = await this.#parts.members.find(whom);
    await this.#parts.rules.touch(caller, { action: 'people.admit', member: found });
    return found;
  }

  /** By the role that the member has now, which may be another than at the start. */
  async #demandOver({ userId }: Pairing, caller: Caller): Promise<void> {
    actingMember(caller);
    const member = await this.#parts.members.get(userId);
    if (member === undefined) throw ended();
    await this.#parts.rules.touch(caller, { action: 'people.admit', member });
  }

  async #get(pairingId: string): Promise<KeptPairing> {
    const kept = await this.#book.get(pairingId);
    if (kept !== undefined) return kept;
    throw new PalyraError('NOT_FOUND', `there is no pairing ${quote(pairingId)}`, {
      help: 'list them with `palyra pairing list`',
    });
  }
}

/**
 * A person has one pairing that waits for a device: the newer takes the place of the older, whose PIN
 * is perhaps on nobody's screen any more.
 */
function roomFor(startedBy: string, known: readonly KeptPairing[]): Room {
  const isWaiting = ({ pairing }: KeptPairing) =>
    awaitsDevice(pairing) && personOf(pairing.startedBy) === personOf(startedBy);
  return {
    waiting: known.filter((kept) => isWaiting(kept)),
    others: known.filter((kept) => !isWaiting(kept)),
  };
}

interface Room {
  readonly waiting: readonly KeptPairing[];
  readonly others: readonly KeptPairing[];
}

/** Whatever they act through. */
function personOf(actor: string): string {
  return actor.split(' via ')[0] ?? actor;
}

function checkRoom(known: readonly KeptPairing[]): void {
  if (known.filter(({ pairing }) => !hasEnded(pairing)).length < MAX_OPEN) return;
  throw new PalyraError('OVERLOADED', `${MAX_OPEN} pairings are open already`, {
    help: 'wait until one has ended; each does within some minutes',
  });
}

/** A no to what no device has asked for yet needs no fingerprint: nobody is let in by it. */
function isAbandoned(
  pairing: Pairing,
  { keyFingerprint, state }: { readonly keyFingerprint: string; readonly state: Answer['state'] },
): boolean {
  return state === PairingState.REJECTED && keyFingerprint === '' && awaitsDevice(pairing);
}

/** What a yes is worth, and where it came from: no device is more than who let it in. */
function grantOf(caller: Caller): Grant {
  return { roleLimit: actingMember(caller).role, answeredThrough: lineageOf(caller) };
}

type Grant = Pick<Answer, 'roleLimit' | 'answeredThrough'>;

const NO_GRANT: Grant = { roleLimit: Role.UNSPECIFIED, answeredThrough: [] };

function checkAwaited({ state, proven }: Pairing, keyFingerprint: string): void {
  if (state !== PairingState.PENDING) throw ended();
  if (proven === undefined) {
    throw new PalyraError('INVALID_INPUT', 'no device has proven itself yet', {
      help: 'enter the PIN on the new device first',
    });
  }
  if (proven.keyFingerprint !== keyFingerprint) {
    throw new PalyraError('PAIRING_REFUSED', 'the device that waits has another fingerprint', {
      help: 'look again at the fingerprint that both sides show; confirm only if they are the same',
    });
  }
}

function answerOf(answer: PairingState): Answer['state'] {
  if (answer === PairingState.APPROVED) return PairingState.APPROVED;
  if (answer === PairingState.REJECTED) return PairingState.REJECTED;
  throw new PalyraError('INVALID_INPUT', 'an answer is approved or rejected');
}

async function deriveBoth(pin: string, token: string): Promise<Verifiers> {
  const { deriveVerifier, verifierToBytes } = await import('@palyra/pake');
  const [ofPin, ofToken] = await Promise.all([deriveVerifier(pin), deriveVerifier(token)]);
  return { pinVerifier: verifierToBytes(ofPin), tokenVerifier: verifierToBytes(ofToken) };
}
