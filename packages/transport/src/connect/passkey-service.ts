import type { ServiceImpl } from '@connectrpc/connect';
import type { ApprovalFlows, ConsoleVisit, PasskeyCeremony, PasskeysPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import type { BeginStepUpRequest, PasskeyService } from '@palyra/protocol';
import { callerIn, sessionKey, visitIn } from '../auth/context.ts';
import { toAnswer } from './approval-service.ts';

export function passkeyService(
  passkeys: PasskeysPort,
  approvals: ApprovalFlows,
): ServiceImpl<typeof PasskeyService> {
  return {
    listPasskeys: async (_request, { values }) => ({
      passkeys: [...(await passkeys.list(callerIn(values)))],
    }),
    beginPasskey: (_request, { values }) => passkeys.begin(visitIn(values)),
    finishPasskey: async (request, { values }) => ({
      passkey: await passkeys.finish(request, visitIn(values)),
    }),
    beginStepUp: ({ confirms }, { values }) =>
      beginStepUp(confirms, visitIn(values), { passkeys, approvals }),
    renamePasskey: async ({ passkey, name }, { values }) => ({
      passkey: await passkeys.rename(passkey, name, callerIn(values)),
    }),
    removePasskey: async (request, { values }) => ({
      passkey:
        values.get(sessionKey) === undefined
          ? await passkeys.removeLocally(request.passkey, callerIn(values))
          : await passkeys.removeConfirmed(request, visitIn(values)),
    }),
  };
}

interface Desks {
  readonly passkeys: PasskeysPort;
  readonly approvals: ApprovalFlows;
}

async function beginStepUp(
  confirms: BeginStepUpRequest['confirms'],
  visit: ConsoleVisit,
  { passkeys, approvals }: Desks,
): Promise<PasskeyCeremony> {
  switch (confirms.case) {
    case 'answer':
      return await approvals.beginStepUp(toAnswer(confirms.value), visit);
    case 'addition':
      return await passkeys.beginAddition(confirms.value, visit);
    case 'removal':
      return await passkeys.beginRemoval(confirms.value, visit);
    case 'pairing':
    case 'member':
    case 'role':
    case 'policy':
      return await passkeys.beginRequest(confirms, visit);
    case undefined:
      throw new PalyraError('INVALID_INPUT', 'there is nothing that a passkey would confirm');
  }
}
