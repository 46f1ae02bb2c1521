import { createContext, use } from 'react';
import type { GetCallerResponse, Permission } from '@palyra/protocol';

export const CallerContext = createContext<GetCallerResponse | undefined>(undefined);

/** Whoever is signed in. Contract: below the shell, which asks before it shows anything. */
export function useCaller(): GetCallerResponse {
  const caller = use(CallerContext);
  if (caller === undefined) throw new Error('nobody is signed in here');
  return caller;
}

/** Only for what to offer; the gateway decides for itself. */
export function useMay(permission: Permission): boolean {
  return useCaller().permissions.includes(permission);
}
