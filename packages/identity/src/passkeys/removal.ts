import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  DeviceState,
  type MemberPasskeys,
  MemberPasskeysSchema,
  type Passkey,
  type RemovePasskeyRequest,
} from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { passkeyEntry } from '../registry/notes.ts';
import { actingMember } from '../registry/standing.ts';
import type { Tables } from '../registry/tables.ts';
import { readAssertion } from './authenticator-answer.ts';
import { type Change, type Found, changeBook, findPasskey } from './book.ts';
import type { Purpose } from './challenge.ts';
import { confirm } from './confirm.ts';
import { type PasskeysParts, showingFor } from './parts.ts';
import { refusal, used } from './tellings.ts';
import type { ConsoleVisit } from './visit.ts';

/**
 * In the console, where a passkey confirms it: otherwise whoever finds an open page removes them all,
 * and then adds the first.
 */
export async function removeConfirmed(
  parts: PasskeysParts,
  request: RemovePasskeyRequest,
  visit: ConsoleVisit,
): Promise<Passkey> {
  const { userId } = actingMember(visit.caller);
  const proof = readAssertion(request.assertion);
  return await changeBook(parts, userId, async (book) => {
    const { passkey } = findPasskey(book, request.passkey);
    const purpose = removalOf(passkey);
    const confirmed = await confirm(book, proof, showingFor(parts, purpose, visit));
    if (confirmed.kind === 'refused') return refusal(confirmed, visit, purpose);
    const removed = removal(confirmed.book, findPasskey(confirmed.book, passkey.passkeyId), visit);
    return { ...removed, entries: [used(visit, purpose, confirmed.by), ...removed.entries] };
  });
}

/**
 * On the gateway's own machine, for whoever has lost the last one: its user can change the store
 * itself. Contract: PERMISSION_DENIED through any other device.
 */
export async function removeLocally(
  parts: PasskeysParts,
  wanted: string,
  caller: Caller,
): Promise<Passkey> {
  const { userId } = actingMember(caller);
  return await changeBook(parts, userId, async (book) => {
    const found = findPasskey(book, wanted);
    await demandLocalDevice(parts.tables, caller, userId);
    return removal(book, found, { caller });
  });
}

export function removalOf({ passkeyId }: Passkey): Purpose {
  return { confirms: 'passkey.remove', about: passkeyId, terms: {} };
}

function removal(
  book: MemberPasskeys,
  { kept, passkey }: Found,
  { caller }: { readonly caller: Caller },
): Change<Passkey> {
  const passkeys = book.passkeys.filter((each) => each !== kept);
  const note = { userId: book.userId, passkey };
  return {
    book: create(MemberPasskeysSchema, { ...book, passkeys }),
    entries: [passkeyEntry('passkey.removed', note, caller.actor)],
    outcome: { kind: 'done', result: passkey },
  };
}

async function demandLocalDevice(
  { devices }: Tables,
  { deviceId = '' }: Caller,
  userId: string,
): Promise<void> {
  const device = (await devices.get(deviceId))?.value;
  const isActive = device?.state === DeviceState.ACTIVE && device.userId === userId;
  if (isActive && device.isLocal) return;
  throw new PalyraError('PERMISSION_DENIED', 'from here nothing can confirm it with a passkey', {
    help: 'remove it in the console (`palyra console`), or on the machine of the gateway itself',
  });
}
