import { gateway } from '../wire/gateway.ts';
import { type Confirms, confirmWithPasskey } from './ceremony.ts';

/**
 * For what lets somebody in or changes rules: gives what the request has to carry, which is nothing
 * where there is no passkey. Then the gateway wants a session that was just opened, and says so.
 */
export async function confirmRequest(confirms: Confirms): Promise<string> {
  const { passkeys } = await gateway.passkeys.listPasskeys({});
  return passkeys.length === 0 ? '' : await confirmWithPasskey(confirms);
}
