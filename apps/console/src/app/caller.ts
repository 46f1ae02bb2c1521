import { createContext, use } from 'react';
import type { Permission } from '@palyra/protocol';
import type { Caller } from '../session/caller.ts';

export const CallerContext = createContext<Caller | undefined>(undefined);

/** Whoever is signed in. Contract: below the console, which is shown to nobody else. */
export function useCaller(): Caller {
  const caller = use(CallerContext);
  if (caller === undefined) throw new Error('nobody is signed in here');
  return caller;
}

/** Only for what to offer; the gateway decides for itself. */
export function useMay(permission: Permission): boolean {
  return useCaller().permissions.includes(permission);
}
