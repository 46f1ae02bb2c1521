import { randomBytes } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { type Bytes, type JsonObject, canonicalBytes, sha256 } from '@palyra/kernel';
import {
  type MemberPasskeys,
  MemberPasskeysSchema,
  type PasskeyChallenge,
  PasskeyChallengeSchema,
} from '@palyra/protocol';
import type { ConsoleVisit } from './visit.ts';

export const CHALLENGE_MS = 5 * 60_000;
/** Of one member, open at once; one more takes the place of the oldest. */
export const MAX_CHALLENGES = 8;
const NONCE_BYTES = 32;
/** How far the clock may be set back meanwhile. */
const SLACK_MS = 60_000;
const FORMAT = 'palyra.passkey.v1';

/** What somebody shows a passkey for. */
export interface Purpose {
  readonly confirms:
    | 'approval.answer'
    | 'passkey.create'
    | 'passkey.add'
    | 'passkey.remove'
    | 'pairing.answer'
    | 'member.add'
    | 'member.role'
    | 'policy.apply';
  /** Which question, passkey, pairing or member; empty for a new passkey and for rules. */
  readonly about: string;
  /** All that must not be exchanged for something else once it is signed. */
  readonly terms: JsonObject;
}

export interface Asking {
  readonly purpose: Purpose;
  readonly visit: ConsoleVisit;
  readonly now: Date;
}

/** Contract: what has ended is gone from the book afterwards. */
export function addChallenge(
  book: MemberPasskeys,
  { purpose, visit, now }: Asking,
): { readonly book: MemberPasskeys; readonly challenge: PasskeyChallenge } {
  const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
  const challenge = create(PasskeyChallengeSchema, {
    challenge: challengeFor({ purpose, visit }, nonce),
    nonce,
    expiresAt: new Date(now.getTime() + CHALLENGE_MS).toISOString(),
  });
  const open = book.challenges.filter((each) => isLive(each, now)).slice(1 - MAX_CHALLENGES);
  const challenges = [...open, challenge];
  return { book: create(MemberPasskeysSchema, { ...book, challenges }), challenge };
}

export type Taken =
  | { readonly kind: 'taken' | 'unfit'; readonly book: MemberPasskeys }
  | { readonly kind: 'none' };

/**
 * Takes the challenge that was signed out of the book. `unfit`: it was made for something else, for
 * another session or another origin.
 */
export function takeChallenge(book: MemberPasskeys, signed: string, asking: Asking): Taken {
  const found = book.challenges.find(({ challenge }) => textOf(challenge) === signed);
  if (found === undefined || !isLive(found, asking.now)) return { kind: 'none' };
  const challenges = book.challenges.filter((each) => each !== found);
  // INVARIANT: all that it is bound to goes into one hash, so that none of it can be forgotten here.
  const isFit = textOf(challengeFor(asking, found.nonce)) === signed;
  return {
    kind: isFit ? 'taken' : 'unfit',
    book: create(MemberPasskeysSchema, { ...book, challenges }),
  };
}

function challengeFor({ purpose, visit }: Omit<Asking, 'now'>, nonce: Uint8Array): Bytes {
  const { session, origin } = visit;
  const { userId, sessionId } = session;
  const bound = { ...purpose, format: FORMAT, userId, sessionId, origin, nonce: nonce.toHex() };
  return new Uint8Array(sha256(canonicalBytes(bound)));
}

/** A clock that is set back does not make it last. */
function isLive({ expiresAt }: PasskeyChallenge, now: Date): boolean {
  const leftMs = Date.parse(expiresAt) - now.getTime();
  return leftMs > 0 && leftMs <= CHALLENGE_MS + SLACK_MS;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
