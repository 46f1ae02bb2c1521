import { create } from '@bufbuild/protobuf';
import type { Log } from '@palyra/kernel';
import {
  type KeptPasskey,
  KeptPasskeySchema,
  type MemberPasskeys,
  MemberPasskeysSchema,
  type Passkey,
  PasskeySchema,
} from '@palyra/protocol';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Asking, takeChallenge } from './challenge.ts';
import {
  type VerifiedKey,
  clientDataOf,
  isFromPage,
  verifyAssertion,
  verifyCreation,
} from './webauthn.ts';

/** Why something that was shown does not count, in words for the person and the journal. */
export type Why =
  | 'it answers no open challenge'
  | 'it was signed for something else'
  | 'it comes from another page'
  | 'it is none of your passkeys'
  | 'it is known already'
  | 'it does not verify';

export interface Refused {
  readonly kind: 'refused';
  /** Without the challenge, where one was answered. */
  readonly book: MemberPasskeys;
  readonly why: Why;
}

export type Confirmed =
  | { readonly kind: 'confirmed'; readonly book: MemberPasskeys; readonly by: Passkey }
  | Refused;

export type Created =
  | { readonly kind: 'created'; readonly book: MemberPasskeys; readonly key: VerifiedKey }
  | Refused;

export interface Showing extends Asking {
  readonly log: Log;
}

/** One of the passkeys in the book, used for exactly this. The new book has its new counter. */
export async function confirm(
  book: MemberPasskeys,
  shown: AuthenticationResponseJSON,
  showing: Showing,
): Promise<Confirmed> {
  const answered = await answerIn(book, shown.response.clientDataJSON, showing);
  if (answered.kind === 'refused') return answered;
  const refused = (why: Why): Refused => ({ kind: 'refused', book: answered.book, why });
  const key = book.passkeys.find(({ credentialId }) => idOf(credentialId) === shown.id);
  if (key?.passkey === undefined) return refused('it is none of your passkeys');
  const expected = { ...answered, log: showing.log };
  const counter = await verifyAssertion(shown, key, expected);
  if (counter === undefined) return refused('it does not verify');
  const by = create(PasskeySchema, {
    ...key.passkey,
    lastUsedAt: showing.now.toISOString(),
  });
  const used = create(KeptPasskeySchema, { ...key, passkey: by, counter });
  return { kind: 'confirmed', book: replaced(answered.book, key, used), by };
}

/** A key that is new to the book. Contract: the new book does not have it yet. */
export async function created(
  book: MemberPasskeys,
  shown: RegistrationResponseJSON,
  showing: Showing,
): Promise<Created> {
  const answered = await answerIn(book, shown.response.clientDataJSON, showing);
  if (answered.kind === 'refused') return answered;
  const key = await verifyCreation(shown, { ...answered, log: showing.log });
  const refused = (why: Why): Refused => ({ kind: 'refused', book: answered.book, why });
  if (key === undefined) return refused('it does not verify');
  const known = book.passkeys.map(({ credentialId }) => idOf(credentialId));
  if (known.includes(idOf(key.credentialId))) return refused('it is known already');
  return { kind: 'created', book: answered.book, key };
}

type Answered =
  | {
      readonly kind: 'answered';
      readonly book: MemberPasskeys;
      readonly challenge: string;
      readonly origin: string;
    }
  | Refused;

/** INVARIANT: whatever comes of it, a challenge that was answered is gone from the book. */
async function answerIn(
  book: MemberPasskeys,
  clientDataJSON: string,
  asking: Asking,
): Promise<Answered> {
  const said = await clientDataOf(clientDataJSON);
  // What cannot be read answers nothing.
  if (said === undefined) return { kind: 'refused', book, why: 'it answers no open challenge' };
  const { challenge } = said;
  const taken = takeChallenge(book, challenge, asking);
  const { origin } = asking.visit;
  switch (taken.kind) {
    case 'none':
      return { kind: 'refused', book, why: 'it answers no open challenge' };
    case 'unfit':
      return { kind: 'refused', book: taken.book, why: 'it was signed for something else' };
    case 'taken':
      return isFromPage(said, origin)
        ? { kind: 'answered', book: taken.book, challenge, origin }
        : { kind: 'refused', book: taken.book, why: 'it comes from another page' };
  }
}

function replaced(book: MemberPasskeys, key: KeptPasskey, used: KeptPasskey): MemberPasskeys {
  const passkeys = book.passkeys.map((each) => (each === key ? used : each));
  return create(MemberPasskeysSchema, { ...book, passkeys });
}

function idOf(credentialId: Uint8Array): string {
  return Buffer.from(credentialId).toString('base64url');
}
