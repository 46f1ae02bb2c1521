import { type DescMessage, type MessageShape, create, toJson } from '@bufbuild/protobuf';
import { type JsonObject, PalyraError, canonicalBytes, parseId, sha256Hex } from '@palyra/kernel';
import {
  AddMemberRequestSchema,
  AnswerPairingRequestSchema,
  ApplyPolicyRequestSchema,
  type BeginStepUpRequest,
  ChangeRoleRequestSchema,
} from '@palyra/protocol';
import { checkMemberName } from '../registry/shown-name.ts';
import { actingMember } from '../registry/standing.ts';
import { readBook } from './book.ts';
import type { Purpose } from './challenge.ts';
import type { PasskeysParts } from './parts.ts';
import { confirmPurpose } from './step-up.ts';
import { type ConsoleVisit, demandFreshSession } from './visit.ts';

/**
 * A request that lets somebody in or changes what is allowed. Whoever could send one from a page that
 * was left open would make themselves a second person with a passkey of their own.
 */
export type RequestToConfirm = Extract<
  BeginStepUpRequest['confirms'],
  { readonly case: 'pairing' | 'member' | 'role' | 'policy' }
>;

/**
 * Contract: resolves once for one assertion. A member without any passkey has none to show; then the
 * device vouches, as for the first one. PERMISSION_DENIED otherwise.
 */
export async function confirmRequest(
  parts: PasskeysParts,
  request: RequestToConfirm,
  visit: ConsoleVisit,
): Promise<void> {
  const { userId } = actingMember(visit.caller);
  const purpose = purposeOf(request);
  const { assertion } = request.value;
  const { passkeys } = await readBook(parts, userId);
  if (passkeys.length === 0) {
    demandFreshSession(visit, 'what lets somebody in or changes rules', parts.clock.now());
    return;
  }
  if (assertion === '') throw unconfirmed();
  await confirmPurpose(parts, { purpose, assertion }, visit);
}

/** Contract: throws INVALID_INPUT for what could name nobody, so that what is told stays short. */
export function purposeOf(request: RequestToConfirm): Purpose {
  switch (request.case) {
    case 'pairing': {
      const { pairingId } = request.value;
      if (parseId(pairingId) === undefined) throw noId();
      const said = create(AnswerPairingRequestSchema, { ...request.value, assertion: '' });
      const terms = termsOf(AnswerPairingRequestSchema, said);
      return { confirms: 'pairing.answer', about: pairingId, terms };
    }
    case 'member': {
      const { name } = request.value;
      checkMemberName(name);
      const said = create(AddMemberRequestSchema, { ...request.value, assertion: '' });
      return { confirms: 'member.add', about: name, terms: termsOf(AddMemberRequestSchema, said) };
    }
    case 'role': {
      const { member } = request.value;
      if (parseId(member) === undefined) checkMemberName(member);
      const said = create(ChangeRoleRequestSchema, { ...request.value, assertion: '' });
      const terms = termsOf(ChangeRoleRequestSchema, said);
      return { confirms: 'member.role', about: member, terms };
    }
    case 'policy': {
      const said = create(ApplyPolicyRequestSchema, { ...request.value, assertion: '' });
      return {
        confirms: 'policy.apply',
        about: '',
        terms: termsOf(ApplyPolicyRequestSchema, said),
      };
    }
  }
}

/** INVARIANT: over the whole request, so that a field that is added later is signed too. */
function termsOf<Desc extends DescMessage>(schema: Desc, said: MessageShape<Desc>): JsonObject {
  return { requestSha256: sha256Hex(canonicalBytes(toJson(schema, said))) };
}

function unconfirmed(): PalyraError {
  return new PalyraError('PERMISSION_DENIED', 'here one of your passkeys has to confirm this', {
    help: 'show it when the browser asks for it, or use `palyra` on a paired device',
  });
}

function noId(): PalyraError {
  return new PalyraError('INVALID_INPUT', '`pairing_id` is not an id');
}
