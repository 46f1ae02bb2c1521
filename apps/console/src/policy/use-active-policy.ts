import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';

export function useActivePolicy() {
  return useAsk(['policy', 'active'], (signal) => gateway.policy.getPolicy({}, { signal }));
}
