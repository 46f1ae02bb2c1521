import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, sha256Hex } from '@palyra/kernel';
import {
  type FinishPasskeyRequest,
  KeptPasskeySchema,
  type MemberPasskeys,
  MemberPasskeysSchema,
  type Passkey,
  PasskeySchema,
} from '@palyra/protocol';
import { passkeyEntry } from '../registry/notes.ts';
import { checkPasskeyName } from '../registry/shown-name.ts';
import { actingMember } from '../registry/standing.ts';
import { readAssertion, readCredential } from './authenticator-answer.ts';
import { type Change, changeBook } from './book.ts';
import { type Ceremony, creationCeremony } from './ceremony-options.ts';
import { type Purpose, addChallenge } from './challenge.ts';
import { confirm, created } from './confirm.ts';
import { type PasskeysParts, showingFor } from './parts.ts';
import { challenged, refusal, used } from './tellings.ts';
import { type ConsoleVisit, demandFreshSession, demandPasskeyOrigin } from './visit.ts';
import type { VerifiedKey } from './webauthn.ts';

/** Of one member. */
export const MAX_PASSKEYS = 16;

export interface BegunPasskey extends Ceremony {
  readonly needsStepUp: boolean;
}

/** Contract: OVERLOADED with 16 already; the first wants a session that was just opened. */
export async function beginPasskey(
  parts: PasskeysParts,
  visit: ConsoleVisit,
): Promise<BegunPasskey> {
  const member = actingMember(visit.caller);
  demandPasskeyOrigin(visit);
  return await changeBook(parts, member.userId, async (book) => {
    const now = parts.clock.now();
    const isFirst = book.passkeys.length === 0;
    if (isFirst) demandFreshSession(visit, 'the first passkey', now);
    demandRoom(book);
    const purpose = creationOf(isFirst ? 'first' : 'further');
    const asked = addChallenge(book, { purpose, visit, now });
    const ceremony = await creationCeremony(asked.challenge, member, book.passkeys);
    return {
      book: asked.book,
      entries: [challenged(visit, purpose)],
      outcome: { kind: 'done', result: { ...ceremony, needsStepUp: !isFirst } },
    };
  });
}

/** Contract: PERMISSION_DENIED unless an earlier one, where there is any, has confirmed it. */
export async function finishPasskey(
  parts: PasskeysParts,
  request: FinishPasskeyRequest,
  visit: ConsoleVisit,
): Promise<Passkey> {
  checkPasskeyName(request.name);
  const { userId } = actingMember(visit.caller);
  const shown = readCredential(request.credential);
  return await changeBook(parts, userId, async (book) => {
    demandRoom(book);
    // INVARIANT: decided by the record that is written: of two who began as the first one becomes it,
    // and the other has answered a challenge that does not fit any more.
    const isFirst = book.passkeys.length === 0;
    const creation = creationOf(isFirst ? 'first' : 'further');
    const made = await created(book, shown, showingFor(parts, creation, visit));
    if (made.kind === 'refused') return refusal(made, visit, creation);
    const { transports = [] } = shown.response;
    const passkey = create(PasskeySchema, {
      passkeyId: parts.ids.next<'passkey'>(),
      name: request.name,
      createdAt: parts.clock.now().toISOString(),
      createdBy: visit.caller.actor,
      transports,
      isSynced: made.key.isSynced,
    });
    const adding = { passkey, key: made.key, visit };
    if (isFirst) return added(made.book, adding, []);
    const purpose = additionOf(request);
    const proof = readAssertion(request.assertion);
    const confirmed = await confirm(made.book, proof, showingFor(parts, purpose, visit));
    if (confirmed.kind === 'refused') return refusal(confirmed, visit, purpose);
    return added(confirmed.book, adding, [used(visit, purpose, confirmed.by)]);
  });
}

/** What an earlier passkey signs: this very key under this name. */
export function additionOf({ name, credential }: FinishPasskeyRequest): Purpose {
  const credentialSha256 = sha256Hex(new TextEncoder().encode(credential));
  return { confirms: 'passkey.add', about: '', terms: { name, credentialSha256 } };
}

function creationOf(rank: 'first' | 'further'): Purpose {
  return { confirms: 'passkey.create', about: '', terms: { rank } };
}

interface Adding {
  readonly passkey: Passkey;
  readonly key: VerifiedKey;
  readonly visit: ConsoleVisit;
}

function added(
  book: MemberPasskeys,
  { passkey, key, visit }: Adding,
  before: readonly EntryDraft[],
): Change<Passkey> {
  const { credentialId, publicKey, counter } = key;
  const kept = create(KeptPasskeySchema, { passkey, credentialId, publicKey, counter });
  const note = { userId: book.userId, passkey };
  return {
    book: create(MemberPasskeysSchema, { ...book, passkeys: [...book.passkeys, kept] }),
    entries: [...before, passkeyEntry('passkey.added', note, visit.caller.actor)],
    outcome: { kind: 'done', result: passkey },
  };
}

function demandRoom({ passkeys }: MemberPasskeys): void {
  if (passkeys.length < MAX_PASSKEYS) return;
  throw new PalyraError('OVERLOADED', `nobody has more than ${MAX_PASSKEYS} passkeys`, {
    help: 'remove one that is no longer used',
  });
}
