import type { ContextValues } from '@connectrpc/connect';
import type { PasskeysPort, RequestToConfirm } from '@palyra/gateway';
import { sessionKey, visitIn } from '../auth/context.ts';

/** Where a page sends what an open page alone must not be enough for. */
export type Confirming = Pick<PasskeysPort, 'confirmRequest'>;

/**
 * Contract: rejects unless the person in the console has confirmed this very request. A device has
 * signed for its connection with its own key; a token has no permission for any of these.
 */
export async function demandConfirmed(
  passkeys: Confirming,
  request: RequestToConfirm,
  values: ContextValues,
): Promise<void> {
  if (values.get(sessionKey) === undefined) return;
  await passkeys.confirmRequest(request, visitIn(values));
}
