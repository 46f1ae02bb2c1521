import { create } from '@bufbuild/protobuf';
import {
  type FinishPasskeyRequest,
  KeptPasskeySchema,
  MemberPasskeysSchema,
  type Passkey,
  PasskeySchema,
  type RemovePasskeyRequest,
} from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { passkeyEntry } from '../registry/notes.ts';
import { checkPasskeyName } from '../registry/shown-name.ts';
import { actingMember } from '../registry/standing.ts';
import { readCredential } from './authenticator-answer.ts';
import { changeBook, findPasskey, readBook } from './book.ts';
import type { Ceremony } from './ceremony-options.ts';
import type { Purpose } from './challenge.ts';
import type { PasskeysParts } from './parts.ts';
import { type BegunPasskey, additionOf, beginPasskey, finishPasskey } from './registration.ts';
import { type RequestToConfirm, confirmRequest, purposeOf } from './request.ts';
import { removalOf, removeConfirmed, removeLocally } from './removal.ts';
import { beginStepUp, confirmPurpose } from './step-up.ts';
import type { ConsoleVisit } from './visit.ts';

/** `passkey` is an id, or a name that only one of the caller's has. Contract: for people only. */
export interface Passkeys {
  list(caller: Caller): Promise<readonly Passkey[]>;
  begin(visit: ConsoleVisit): Promise<BegunPasskey>;
  finish(request: FinishPasskeyRequest, visit: ConsoleVisit): Promise<Passkey>;
  rename(passkey: string, name: string, caller: Caller): Promise<Passkey>;
  removeConfirmed(request: RemovePasskeyRequest, visit: ConsoleVisit): Promise<Passkey>;
  removeLocally(passkey: string, caller: Caller): Promise<Passkey>;
  /** A challenge by which an earlier passkey vouches for a new one. */
  beginAddition(request: FinishPasskeyRequest, visit: ConsoleVisit): Promise<Ceremony>;
  beginRemoval(request: RemovePasskeyRequest, visit: ConsoleVisit): Promise<Ceremony>;
  beginAnswer(answer: AnswerToConfirm, visit: ConsoleVisit): Promise<Ceremony>;
  /** Contract: resolves once for one assertion; PERMISSION_DENIED unless it is for this answer. */
  confirmAnswer(answer: ConfirmedAnswer, visit: ConsoleVisit): Promise<void>;
  beginRequest(request: RequestToConfirm, visit: ConsoleVisit): Promise<Ceremony>;
  /** Contract: as for an answer; a member without a passkey needs a session that was just opened. */
  confirmRequest(request: RequestToConfirm, visit: ConsoleVisit): Promise<void>;
}

/** An answer to a question, with everything that it says. */
export type AnswerToConfirm = Pick<Purpose, 'about' | 'terms'>;

export interface ConfirmedAnswer extends AnswerToConfirm {
  readonly assertion: string;
}

export function createPasskeys(parts: PasskeysParts): Passkeys {
  return {
    list: (caller) => list(parts, caller),
    begin: (visit) => beginPasskey(parts, visit),
    finish: (request, visit) => finishPasskey(parts, request, visit),
    rename: (passkey, name, caller) => rename(parts, { passkey, name }, caller),
    removeConfirmed: (request, visit) => removeConfirmed(parts, request, visit),
    removeLocally: (passkey, caller) => removeLocally(parts, passkey, caller),
    async beginAddition(request, visit) {
      checkPasskeyName(request.name);
      // Bounded and readable before anything is signed for it.
      readCredential(request.credential);
      return await beginStepUp(parts, additionOf(request), visit);
    },
    async beginRemoval({ passkey }, visit) {
      const book = await readBook(parts, actingMember(visit.caller).userId);
      return await beginStepUp(parts, removalOf(findPasskey(book, passkey).passkey), visit);
    },
    beginAnswer: (answer, visit) => beginStepUp(parts, answerOf(answer), visit),
    confirmAnswer: (answer, visit) => {
      const { assertion } = answer;
      return confirmPurpose(parts, { purpose: answerOf(answer), assertion }, visit);
    },
    beginRequest: async (request, visit) => await beginStepUp(parts, purposeOf(request), visit),
    confirmRequest: (request, visit) => confirmRequest(parts, request, visit),
  };
}

function answerOf({ about, terms }: AnswerToConfirm): Purpose {
  return { confirms: 'approval.answer', about, terms };
}

/** The oldest first. */
async function list(parts: PasskeysParts, caller: Caller): Promise<readonly Passkey[]> {
  const { passkeys } = await readBook(parts, actingMember(caller).userId);
  return passkeys.flatMap(({ passkey }) => passkey ?? []);
}

async function rename(
  parts: PasskeysParts,
  { passkey: wanted, name }: { readonly passkey: string; readonly name: string },
  caller: Caller,
): Promise<Passkey> {
  checkPasskeyName(name);
  const { userId } = actingMember(caller);
  return await changeBook(parts, userId, async (book) => {
    const { kept, passkey } = findPasskey(book, wanted);
    const renamed = create(PasskeySchema, { ...passkey, name });
    const changed = create(KeptPasskeySchema, { ...kept, passkey: renamed });
    const passkeys = book.passkeys.map((each) => (each === kept ? changed : each));
    return {
      book: create(MemberPasskeysSchema, { ...book, passkeys }),
      entries: [passkeyEntry('passkey.renamed', { userId, passkey: renamed }, caller.actor)],
      outcome: { kind: 'done', result: renamed },
    };
  });
}
