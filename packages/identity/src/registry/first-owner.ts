import { userInfo } from 'node:os';
import { isMemberName } from './shown-name.ts';

const FALLBACK = 'owner';

/** What the first owner is called: as the machine calls the user who runs the gateway. */
export function firstOwnerName(): string {
  return usableName(machineName());
}

export function usableName(text: string): string {
  const name = text.toLowerCase();
  return isMemberName(name) ? name : FALLBACK;
}

function machineName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an account, as in containers: there is no name to take.
    return FALLBACK;
  }
}
