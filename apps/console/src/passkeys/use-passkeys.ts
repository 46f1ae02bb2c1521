import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';

/** Those of whoever is signed in; nobody sees those of others. */
export function usePasskeys() {
  return useAsk(['passkeys'], (signal) => gateway.passkeys.listPasskeys({}, { signal }));
}
